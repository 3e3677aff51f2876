"""One script per table or figure of the paper; run ``python -m experiments list``.

An experiment is a module of ``experiments.figures`` or ``experiments.tables``, called ``fig-name``
or ``tab-name`` on the command line. It has

* a docstring whose first line says what it shows;
* ``LABEL``: the label, or labels with spaces between them, of the paper, or a word of ours;
* ``run(context) -> list[Path]``: writes figures (``context.save(figure, stem)``) and tables
  (``experiments.results_table.write_table``), and returns what it wrote. A module with
  ``draw() -> Figure`` and no ``run`` is run as ``context.save(draw(), name)``;
* if `docs/reproduction.md` has a section on it: ``ORDER``, a number, small ones first, and
  ``page(results) -> str``, the section in Markdown from its ``## `` heading on, read from the
  tables in the folder ``results`` (``experiments.results_table.read_table``) alone, so that
  ``python -m experiments page`` makes the page again without any data. A picture ``stem`` that it
  shows was written by ``context.save(figure, stem, on_page=True)``, which puts a small PNG into
  `docs/images/`; the text shows it as ``![what there is to see](images/stem.png)``. If a table
  is missing, `FileNotFoundError` from ``read_table`` is let through, and the page says so. Seconds
  are not for ``page`` but for ``times(results) -> str``, a table for the page's last section.

Domains come from ``context.domain(name)``. Random choices have fixed seeds: what is written is the
same every time, but for seconds, which are in files of their own. Parts that take long go through
``experiments.study.kept.run_kept`` or ``experiments.study.folds.run_folds``, which keep what is
finished and run by joblib: within ``joblib.parallel_config(...)``, ``experiments.__main__.main``
uses any of its backends.
"""

"""The repository's texts keep their promises: code runs, links lead somewhere, numbers agree."""

import doctest
import re
from pathlib import Path

import pytest

import horotree

ROOT = Path(__file__).parents[2]
TEXTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
COMMANDS = ["pip install . && horotree demo", 'pip install ".[test]" && pytest']


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", read(name), flags=re.DOTALL | re.MULTILINE)


def test_the_code_of_the_readme_runs_and_prints_what_it_says():
    source = "\n".join(blocks("README.md", "python"))
    examples = doctest.DocTestParser().get_doctest(source, {}, "README", "README.md", 0)
    results = doctest.DocTestRunner(verbose=False).run(examples)
    assert results.attempted > 10
    assert results.failed == 0


def test_the_readme_shows_the_two_commands():
    shown = [block.strip() for block in blocks("README.md", "sh")]
    assert shown[:2] == COMMANDS


@pytest.mark.parametrize("name", TEXTS)
def test_relative_links_lead_to_files(name):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", read(name))
    assert name != "README.md" or "docs/images/fig-how-to-read.png" in targets
    for target in targets:
        assert (ROOT / target).exists(), target


def test_the_pictures_of_the_readme_have_texts_for_those_who_do_not_see_them():
    texts = re.findall(r"!\[([^]]*)\]", read("README.md"))
    assert len(texts) >= 4
    assert all(len(text) > 50 for text in texts)


def test_every_check_of_the_ci_is_explained_to_contributors():
    contributing = read("CONTRIBUTING.md")
    for check in ("ruff format", "ruff check", "mypy", "lint-imports", "pytest", ".ci/run"):
        assert f"`{check}" in contributing or f"`bash {check}" in contributing
        assert check == ".ci/run" or check in read(".ci/run")


def test_the_changelog_has_a_section_for_what_is_not_released():
    headings = re.findall(r"^## \[(.*?)\]", read("CHANGELOG.md"), flags=re.MULTILINE)
    assert headings[0] == "Unreleased"


def test_the_citation_names_software_and_papers(require):
    citation = require("yaml").safe_load(read("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors", "type", "license"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] == "software"
    assert citation["version"] == horotree.__version__
    assert citation["license"] == "BSD-3-Clause"
    titles = [reference["title"] for reference in citation["references"]]
    assert titles == [
        "Tempered Calculus for ML: Application to Hyperbolic Model Embedding",
        "Hyperbolic Embeddings of Supervised Models",
    ]
    for reference in citation["references"]:
        names = [author["family-names"] for author in reference["authors"]]
        assert names == ["Nock", "Amid", "Nielsen", "Soen", "Warmuth"]
        assert reference["year"] == 2024


def test_pre_commit_runs_the_checks_and_fetches_nothing(require):
    config = require("yaml").safe_load(read(".pre-commit-config.yaml"))
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    hooks = config["repos"][0]["hooks"]
    assert {hook["language"] for hook in hooks} == {"system"}
    entries = [hook["entry"].removesuffix(" --fix") for hook in hooks]
    assert entries == ["ruff format", "ruff check", "mypy", "lint-imports"]


def test_the_version_is_the_same_everywhere():
    declared = re.search(r'^version = "(.+)"$', read("pyproject.toml"), re.MULTILINE)
    assert declared is not None
    assert declared[1] == horotree.__version__

"""A path in a tree as a rule: to read, and as code for pandas and SQL."""

from .pandas_sql import python_literal, quoted, sql_literal
from .paths import Rule, path_rule
from .texts import one_line, plain, shown

__all__ = [
    "Rule",
    "one_line",
    "path_rule",
    "plain",
    "python_literal",
    "quoted",
    "shown",
    "sql_literal",
]

"""How commands end: what users can mend is one line, what they cannot is a bug with a traceback."""

from typing import Any

import typer
from typer.core import TyperGroup

from ._errors import UserError
from ._streams import tell

WRONG = 2  # bad arguments, bad files
INTERRUPTED = 130  # what shells say of Ctrl-C
BROKEN_PIPE = 1


class Group(TyperGroup):
    """Commands that end with one line and an exit code where the user, not horotree, is wrong."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            result = super().invoke(ctx)
        except UserError as error:
            tell(f"Error: {error}", color="red")
            raise typer.Exit(WRONG) from None
        except MemoryError:
            tell("Error: there is not enough memory for this: use fewer rows.", color="red")
            raise typer.Exit(WRONG) from None
        except BrokenPipeError:  # who read the output has seen enough
            raise typer.Exit(BROKEN_PIPE) from None
        except (KeyboardInterrupt, Exception) as error:
            if not _is_interruption(error):
                raise
            tell("Interrupted.")
            raise typer.Exit(INTERRUPTED) from None
        return result


def _is_interruption(error: BaseException | None) -> bool:
    """Tell Ctrl-C, which a module's import in C turns into an ImportError, from other errors."""
    if error is None or isinstance(error, KeyboardInterrupt):
        return error is not None
    return _is_interruption(error.__cause__ or error.__context__)

"""The program: its commands, and how every failure becomes one line and an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NoReturn

import click

from bayesloom import __version__
from bayesloom.cli.output import (
    INTERRUPTED,
    finish_output,
    shortened,
    silence_output,
    visible,
)
from bayesloom.errors import BayesloomError, OptionError, shown

DEBUG = "BAYESLOOM_DEBUG"
"""The environment variable that makes an internal error show where it happened."""

_COMMANDS = [
    "learn",
    "inspect",
    "explain",
    "query",
    "most-probable",
    "predict",
    "impute",
    "tables",
    "edges",
    "test",
    "evaluate",
    "score",
    "blanket",
    "certify",
    "check",
    "bootstrap",
    "posterior",
    "compare",
    "sample",
    "classify",
    "plot",
    "report",
    "studio",
    "convert",
    "cache",
    "reproduce",
]


class Commands(Mapping[str, click.Command]):
    """The commands by name; the module of a command is imported when it is asked for."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in _COMMANDS:
            raise KeyError(name)
        word = name.replace("-", "_")
        command: click.Command = getattr(import_module(f"bayesloom.cli.{word}"), word)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class Program(click.Group):
    """Run a command; whatever fails is one line on standard error and an exit code.

    Bad data or input is exit code 1. An option with a value it cannot take is wrong usage like any
    other: exit code 2. Ctrl-C and SIGTERM are 130. What nobody expected is told as an internal
    error, with the trace if `DEBUG` is set.
    """

    def main(self, *args: Any, **extra: Any) -> NoReturn:  # noqa: ANN401 - as click has it
        """Run the program and leave."""
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
        except click.ClickException as error:
            said = io.StringIO()
            error.show(said)
            click.echo(shortened(visible(said.getvalue())), err=True, nl=False)
            code = error.exit_code
        except click.Abort:
            click.echo("Interrupted.", err=True)
            code = INTERRUPTED
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run the chosen command."""
        try:
            from bayesloom.learning.interruption import interrupts_on_termination

            with interrupts_on_termination():
                result = super().invoke(ctx)
                finish_output()
        except OptionError as error:
            raise click.UsageError(_line(error), self._context_of_command(ctx)) from None
        except BayesloomError as error:
            raise click.ClickException(_line(error)) from None
        except KeyboardInterrupt:
            raise click.Abort from None
        except BrokenPipeError:
            silence_output()
            ctx.exit(0)
        except MemoryError:
            msg = "the memory does not suffice; use fewer columns or rows, or set --max-parents"
            raise click.ClickException(msg) from None
        except OSError as error:
            raise click.ClickException(_told_by_system(error)) from None
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if os.environ.get(DEBUG):
                raise
            raise click.ClickException(_internal(error)) from None
        return result

    def _context_of_command(self, ctx: click.Context) -> click.Context:
        """Return the context of the command that was called, whose help can be pointed to."""
        name = ctx.invoked_subcommand or ""
        return click.Context(self.get_command(ctx, name) or self, ctx, info_name=name)


def _line(error: BayesloomError) -> str:
    """Return what an error says on one line."""
    return " ".join(str(error).split())


def _told_by_system(error: OSError) -> str:
    """Return a line about a file that failed; nothing more is printed if it was the output."""
    if error.filename is None:
        silence_output()
    where = f" {os.fsdecode(error.filename)}" if error.filename else ""
    return f"reading or writing{where} failed: {error.strerror or error}"


def _internal(error: Exception) -> str:
    """Return a line about an error that nobody expected."""
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return (
        f"internal error ({shown(what, 300)}); please report it, with the command and what it"
        f" prints when the environment variable {DEBUG} is 1"
    )


@click.group(
    cls=Program, commands=Commands(), context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, message="bayesloom %(version)s")
@click.option(
    "--plugin",
    "plugins",
    multiple=True,
    metavar="MODULE",
    help="Import a module, or a .py file, with scores, tests or searches of your own. Repeatable.",
)
def program(plugins: tuple[str, ...]) -> None:
    """Learn Bayesian networks from tables, explain them, query them, compare them.

    \b
    bayesloom learn data.csv -o net.json             learn a network and keep it
    bayesloom explain net.json A B                   why A and B are joined, or why not
    bayesloom query net.json A --given B=yes         the probabilities of A when B is yes
    bayesloom predict net.json new.csv --target A    what A is in every row

    Every command has --help, and --json for one JSON object on standard output.
    Exit codes: 0 done, 1 bad data or input, 2 wrong usage, 130 interrupted.
    """
    if plugins:
        from bayesloom.cli.plugin import load_plugin

        for module in plugins:
            load_plugin(module)


def main() -> None:
    """Run the program that is called ``bayesloom``."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a character gets its escape instead of an error.
        sys.stdout.reconfigure(errors="backslashreplace")
    program.main(prog_name="bayesloom")

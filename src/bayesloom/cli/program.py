"""The program: its commands, and how every failure becomes one line and an exit code."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

import click

from bayesloom import __version__
from bayesloom.cli.convert import convert
from bayesloom.cli.evaluate import evaluate
from bayesloom.cli.exit_code import INTERRUPTED
from bayesloom.cli.explain import explain
from bayesloom.cli.learn import learn
from bayesloom.cli.output import finish_output, silence_output
from bayesloom.cli.plot import plot
from bayesloom.cli.query import query
from bayesloom.cli.reproduce import reproduce
from bayesloom.cli.sample import sample
from bayesloom.cli.score import score
from bayesloom.errors import BayesloomError


class Program(click.Group):
    """Run a command; bad data or input is one line on standard error and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run the chosen command."""
        try:
            result = super().invoke(ctx)
            finish_output()
        except BayesloomError as error:
            raise click.ClickException(" ".join(str(error).split())) from None
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            silence_output()
            ctx.exit(0)
        except MemoryError:
            msg = "the memory does not suffice; use fewer columns or rows, or set --max-parents"
            raise click.ClickException(msg) from None
        except OSError as error:
            where = f" {os.fsdecode(error.filename)}" if error.filename else ""
            msg = f"reading or writing{where} failed: {error.strerror or error}"
            raise click.ClickException(msg) from None
        return result


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="bayesloom %(version)s")
def program() -> None:
    """Learn Bayesian networks from tables, explain them, query them, compare them.

    \b
    bayesloom learn data.csv -o net.json      learn a network and keep it
    bayesloom explain net.json A B            why A and B are joined, or why not
    bayesloom query net.json A --given B=yes  the probabilities of A when B is yes

    Every command has --help, and --json for one JSON object on standard output.
    Exit codes: 0 done, 1 bad data or input, 2 wrong usage, 130 interrupted.
    """


for _command in (learn, explain, query, evaluate, score, sample, plot, convert, reproduce):
    program.add_command(_command)


def main() -> None:
    """Run the program that is called ``bayesloom``."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a character gets its escape instead of an error.
        sys.stdout.reconfigure(errors="backslashreplace")
    program.main(prog_name="bayesloom")

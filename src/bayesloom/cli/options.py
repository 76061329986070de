"""Options that several commands share, and the values they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from bayesloom.engine.names import ENGINES, ENGINES_HERE
from bayesloom.errors import OptionError
from bayesloom.expression import Written, needed_options, parse_value
from bayesloom.registry import SCORES, Registry, options_of

if TYPE_CHECKING:
    from bayesloom.data import Reading, Table
    from bayesloom.data.reading import ReadingOptions
    from bayesloom.scores import Score
    from bayesloom.search import Knowledge

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

Options = Mapping[str, Any]
"""What a command was given, by the names of its options."""


class Named(click.Choice):  # type: ignore[type-arg] # no class with arguments before click 8.2
    """A value of a registry: one of its names, plug-ins included, or an expression."""

    def __init__(self, registry: Registry) -> None:
        super().__init__(list(registry))
        self.registry = registry

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click has it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Written:
        """Return what is written: a class with options, which is not made yet."""
        if isinstance(value, Written):
            return value
        if value not in self.registry and not re.search(r"[(.]", value):
            self.choices = tuple(self.registry.names())  # a plug-in may have come in since
            if self.registry.titled(value) is None:
                super().convert(value, param, ctx)
        try:
            return parse_value(value, self.registry)
        except OptionError as error:
            self.fail(f"{error}", param, ctx)

    def get_metavar(self, *args: Any, **extra: Any) -> str | None:  # noqa: ANN401 - as click has it
        """Return the choices as help shows them, with the names of plug-ins."""
        self.choices = tuple(self.registry.names())
        return super().get_metavar(*args, **extra)  # click before 8.2 gives no context


def made(
    value: Written,
    given: Mapping[str, Any] | None = None,
    *,
    usual: Mapping[str, Any] | None = None,
    flags: Mapping[str, str] | None = None,
) -> Any:  # noqa: ANN401 - whatever is registered
    """Make a value of what is written, and of what flags say of it.

    Parameters
    ----------
    value : Written
        What is written.
    given : mapping, optional
        What flags say of it.
    usual : mapping, optional
        What holds where neither says anything.
    flags : mapping, optional
        The flags of options; by default they are called as the options are.
    """
    given, flags = given or {}, flags or {}
    check_flags(value.registry, value.kind, value.name, given, flags)
    for key in given:
        if key in value.options:
            flag = flag_of(key, flags)
            msg = f"{flag} and {value.text!r} say both what {key} is; give one of them"
            raise click.UsageError(msg)
    needs = [key for key in needed_options(value.kind) if key not in {**value.options, **given}]
    for key in needs:
        if key in flags:
            msg = f"{value.title} needs {flags[key]}"
            raise click.UsageError(msg)
    try:
        return replace_options(value, given).made(usual)
    except OptionError as error:
        raise click.UsageError(str(error)) if needs else error from None


def replace_options(value: Written, given: Mapping[str, Any]) -> Written:
    """Return what is written with further options."""
    return Written(value.text, value.registry, value.kind, {**value.options, **given})


def check_flags(
    registry: Registry, kind: type, name: str, given: Mapping[str, Any], flags: Mapping[str, str]
) -> None:
    """Refuse a flag of an option that something does not have."""
    known = options_of(kind)
    for key in given:
        if key not in known:
            flag = flag_of(key, flags)
            plural = "have" if " and " in flag else "has"
            msg = f"{flag} {plural} no meaning for the {registry.kind} {name}"
            raise click.UsageError(msg)


def flag_of(option: str, flags: Mapping[str, str]) -> str:
    """Return the flag of an option."""
    return flags.get(option, f"--{option.replace('_', '-')}")


def together(*options: Decorator) -> Decorator:
    """Make one decorator of several options; help lists them in the order given."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def count_option(
    *names: str, told: str, least: int = 0, default: int | None = None, metavar: str = "N"
) -> Decorator:
    """Make an option that takes a whole number; help shows its default."""
    kind = click.IntRange(min=least)
    return click.option(
        *names, type=kind, default=default, show_default=True, metavar=metavar, help=told
    )


def number_option(name: str, told: str, metavar: str = "X") -> Decorator:
    """Make an option that takes a number."""
    return click.option(name, type=float, metavar=metavar, help=told)


def choice_option(name: str, choices: Sequence[str], told: str) -> Decorator:
    """Make an option that takes one of some words; the first is the default."""
    kind = click.Choice(choices)
    return click.option(name, type=kind, default=choices[0], show_default=True, help=told)


def time_limit_option(told: str) -> Decorator:
    """Make the option that ends the work after some time."""
    return click.option("--time-limit", metavar="TIME", help=told)


progress_option = click.option(
    "--progress", is_flag=True, help="Tell progress also where there is no terminal."
)

output_options = together(
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."),
    click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors (and JSON)."),
)

threads_option = count_option(
    "--threads", least=1, told="Threads that count. Default: all processors."
)


def cache_option(*names: str) -> Decorator:
    """Make the option that names the folder of caches."""
    told = "Folder of caches. Default: BAYESLOOM_CACHE, or bayesloom in the user's cache folder."
    return click.option("--cache", *names, metavar="FOLDER", help=told)


_disk_options = together(
    click.option(
        "--memory",
        metavar="SIZE",
        help="Such as 1GB: what blocks and tables may take with --engine disk (default 1GB), and "
        "what data may take before auto chooses the disk (default: half of the machine's).",
    ),
    cache_option(),
)

engine_options = together(
    choice_option(
        "--engine",
        ENGINES,
        "Where the rows are: in memory, on disk in a compact cache, or on the workers of a "
        "Dask cluster; auto goes by size.",
    ),
    _disk_options,
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Address of the cluster of --engine dask, such as tcp://host:8786.",
    ),
)

engine_here_options = together(
    choice_option(
        "--engine",
        ENGINES_HERE,
        "Where the rows are: in memory, or on disk in a compact cache; auto goes by size.",
    ),
    _disk_options,
)

WHERE = ("engine", "memory", "cache")
"""What `engine_here_options` are called."""

crew_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Do it on the workers of a Dask cluster, such as tcp://host:8786. Default: here.",
)

max_parents_option = count_option("--max-parents", told="Most parents of a variable.")

knowledge_option = click.option(
    "--knowledge", metavar="FILE", help="JSON or TOML: required, forbidden, tiers, ..."
)

missing_option = click.option(
    "--missing",
    type=click.Choice(["error", "drop", "state", "keep"]),
    help="Missing cells: refuse them, drop their rows, make them a state, or keep them and count "
    "around them. Default: error; for a network, as its own data were read.",
)

missing_marker_option = click.option(
    "--missing-marker",
    "missing_markers",
    multiple=True,
    metavar="LABEL",
    help="A label that means missing, such as '?' or NA. Repeatable.",
)

no_markers_option = click.option(
    "--no-markers", is_flag=True, help="No label means missing, only an empty cell."
)

drop_option = click.option(
    "--drop", multiple=True, metavar="NAME", help="Leave this column out. Repeatable."
)

delimiter_option = click.option(
    "--delimiter",
    metavar="CHAR",
    help=r"What separates the cells of a CSV file, such as '|' or '\t'. Default: , ; or a tab.",
)

file_options = together(
    click.option(
        "--encoding",
        metavar="NAME",
        help="How a CSV file writes its characters, such as cp1252. Default: UTF-8.",
    ),
    delimiter_option,
    click.option(
        "--no-header",
        "header",
        flag_value=False,
        type=click.UNPROCESSED,
        default=None,
        help="The first line of a CSV file holds no names of columns.",
    ),
    click.option(
        "--skip-lines",
        type=click.IntRange(min=1),
        metavar="N",
        help="Lines of a CSV file that come before its table, such as a title.",
    ),
    click.option(
        "--strip",
        is_flag=True,
        default=None,
        help="Leave out blanks at the ends of names and cells.",
    ),
)

state_options = together(
    click.option(
        "--states", metavar="FILE", help='JSON with the states of columns: {"A": ["no", "yes"]}.'
    ),
    click.option(
        "--states-from",
        metavar="NET",
        help="Network file whose states the columns get that it has.",
    ),
    missing_option,
    missing_marker_option,
    no_markers_option,
    click.option(
        "--numbers",
        multiple=True,
        metavar="[NAME=]keep|cut",
        help="Whether columns of numbers stay numbers or are cut into bins; for one column "
        "age=keep. Repeatable.",
    ),
    click.option(
        "--discretize",
        multiple=True,
        metavar="[NAME=]RULE",
        help="Cut quantities: auto, frequency, width, mdl, network or none (default); for one "
        "column also age=4 (bins), fare=width:6, dose=0,1,5 (cut points). Repeatable.",
    ),
    click.option(
        "--date",
        "dates",
        multiple=True,
        metavar="NAME=PARTS",
        help="Parts of a date in its place, such as when=month,weekday. Repeatable.",
    ),
    count_option("--bins", least=2, told="Most bins of a column. Default: 5."),
    click.option("--target", metavar="NAME", help="The column that --discretize mdl cuts for."),
)

data_options = together(
    click.option(
        "--auto",
        is_flag=True,
        default=None,
        help="Take every proposal of bayesloom inspect: what is missing, what is left out.",
    ),
    click.option(
        "--strict", is_flag=True, default=None, help="Take none, and refuse what is not certain."
    ),
    state_options,
    click.option(
        "--column", "columns", multiple=True, metavar="NAME", help="Use this column. Repeatable."
    ),
    drop_option,
    file_options,
)

score_options = together(
    click.option("--score", "score_name", type=Named(SCORES), help="What is maximised."),
    number_option("--ess", "Equivalent sample size of bdeu, bds (default 10), bdm (20), bde (1)."),
    number_option("--penalty", "Factor of the price of a parameter in bic. Default: 1."),
    number_option("--guard", "Price per parameter besides, times sqrt(N), in qnml. Default: 0."),
    number_option("--kappa", "Structure prior: factor per free parameter, such as 0.001."),
    number_option("--per-parent", "Structure prior: parents expected per variable."),
    number_option("--sparsity", "Structure prior: every edge costs X log n for n variables."),
    click.option("--prior", metavar="FILE", help="Earlier rows, the prior of bde."),
)


network_data_options = together(
    score_options, data_options, threads_option, engine_here_options, output_options
)
"""What a command about a network takes whose data are optional."""


def reading_of(options: Options) -> Reading:
    """Return what the data options say: how to read the data; what is not written out is usual."""
    from bayesloom.data import Reading

    return Reading(**written_out(options))


def written_out(options: Options) -> ReadingOptions:
    """Return the data options that are written out, which go before what a network remembers."""
    from bayesloom.cli.discretize_option import discretization_of
    from bayesloom.cli.numbers_option import dates_of, numbers_of
    from bayesloom.data.reading import USUAL

    named = {name: options.get(name) for name in USUAL.to_dict()}
    given: Any = {name: said for name, said in named.items() if said not in (None, ())}
    if "discretize" in given:
        given["discretize"] = discretization_of(given["discretize"])
    if options.get("no_markers"):
        if "missing_markers" in given:
            msg = "--no-markers and --missing-marker contradict each other; give one of them"
            raise click.UsageError(msg)
        given["missing_markers"] = ()
    if "dates" in given:
        given["dates"] = dates_of(given["dates"])
    if "numbers" in given:
        given["numbers"] = numbers_of(given["numbers"])
    numbers = given.get("numbers")
    cuts = "cut" in (numbers.values() if isinstance(numbers, dict) else [numbers])
    if "bins" in given and given.get("discretize", "none") == "none" and not cuts:
        msg = "--bins needs --discretize, such as --discretize auto"
        raise click.UsageError(msg)
    if "states" in given:
        from bayesloom.data import read_states

        given["states"] = read_states(given["states"])
    if "states_from" in given:
        from bayesloom.model import load_net

        given["states_from"] = load_net(given["states_from"])
    if given.get("delimiter") == r"\t":
        given["delimiter"] = "\t"
    written: ReadingOptions = given
    return written


def knowledge_from(options: Options) -> Knowledge:
    """Return what the file of ``--knowledge`` says."""
    from bayesloom.search import Knowledge

    if options["knowledge"] is None:
        return Knowledge()
    from bayesloom.data.knowledge_file import read_knowledge

    known: dict[str, Any] = read_knowledge(options["knowledge"])
    return Knowledge(**known)


def score_from(options: Options, table: Table | None = None) -> Score | None:
    """Make the score that the options name; None if they name none.

    ``table`` tells the states that the earlier rows of a prior must have.
    """
    value, prior = options["score_name"], options["prior"]
    keys = ("ess", "penalty", "guard", "kappa", "per_parent", "sparsity")
    given = {key: options[key] for key in keys if options[key] is not None}
    if value is None:
        flags = [*given, *(["prior"] if prior is not None else [])]
        if flags:
            flag = f"--{flags[0].replace('_', '-')}"
            msg = f"{flag} is an option of a score; name it with --score {', '.join(SCORES)}"
            raise click.UsageError(msg)
        return None
    known = options_of(value.kind)
    if (prior is None) == ("prior" in known):
        what = "needs earlier rows: give" if prior is None else "has no use for"
        msg = f"the score {value.name} {what} --prior"
        raise click.UsageError(msg)
    if prior is not None and table is not None:
        from bayesloom.data import read

        states = dict(zip(table.names, table.states, strict=True))
        given["prior"] = read(prior, states=states, columns=table.names)
    found: Score = made(value, given)
    return found

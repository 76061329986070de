"""A learned network on one screen, as text and as HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bayesloom.errors import listed, shown
from bayesloom.graphs import PDAG, remove_sinks
from bayesloom.graphs.text import counted
from bayesloom.grid import folded, label, terminal_width
from bayesloom.learning.record import Record, ScoreValue
from bayesloom.learning.structure import Kind, Structure, directed, undirected
from bayesloom.registry import CONTROLS, SCORES, Registry, Told, option_text
from bayesloom.story.sentences import COMPLETED

if TYPE_CHECKING:
    from bayesloom.incomplete import EMRun
    from bayesloom.search import Step
    from bayesloom.story.edge_table import EdgeTable, TableEdge

_MOST_ROWS = 200  # edges shown in a notebook
_MOST_LINES = 20  # of edges on a screen
_MOST_COLUMNS = 6
_NARROWEST, _WIDEST = 60, 160  # characters of a line
_MANY = 20  # states that are worth a word
_HEADING = 8
_PATTERNS = 2  # of missing cells that are told
_TOGETHER = 4  # columns of a pattern that are named
_TOLD_APART = ("score", "test", "control", "start")
"""Options of a search that have a line or words of their own."""


def summary_lines(
    record: Record,
    graph: Structure,
    seconds: float | None = None,
    n_states: Mapping[str, int] | None = None,
    em_run: EMRun | None = None,
) -> list[tuple[str, str]]:
    """Return what a search did as pairs of a heading and a text."""
    took = "" if seconds is None else f", after {seconds:.3f} s"
    of = f", {COMPLETED}" if record.completed else ""
    lines = [
        ("search", search_text(record)),
        *([("score", f"{score_text(record.value, record.score)}{of}")] if record.value else []),
        *([("proof", str(record.proof))] if record.proof else []),
        *([("steps", steps_text(record.steps, record.candidates))] if _has_steps(record) else []),
        *([("tests", f"{tally_text(record)}{of}")] if record.tests.made else []),
        ("stopped", f"{record.stop.value}{took}"),
        *([("conflict", conflict_text(record))] if record.conflicts else []),
        *([("states", states_text(n_states))] if n_states else []),
        *([("missing", missing_text(record))] if record.missing else []),
        *([("tables", f"by {em_run}")] if em_run else []),
        *([("chance", record.chance.sentence())] if record.chance else []),
        *([("belief", belief_text(record))] if record.knowledge.belief else []),
        *(("note", note) for note in record.notes),
    ]
    if (meaning := _meaning(graph, record)) is not None:
        lines.append(("read", meaning))
    return lines


def headline_text(record: Record, graph: Structure) -> str:
    """Say what was learned from how much.

    Examples
    --------
    >>> from bayesloom.facade import learn
    >>> learned = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20})
    >>> print(headline_text(learned.record, learned.graph))
    Learned from 40 rows of 2 columns: 1 edge, none directed
    """
    arrows, lines = len(directed(graph)), len(undirected(graph))
    if record.kind is Kind.MARKOV_NETWORK:
        found = f"a Markov network with {counted(lines, 'link')}"
    elif record.kind is Kind.DAG:
        found = f"a Bayesian network with {counted(arrows, 'edge')}"
    else:
        found = counted(arrows + lines, "edge")
        if arrows or lines:
            which = "all" if not lines else f"{arrows:,} of them" if arrows else "none"
            found += f", {which} directed"
    rows = f"{record.n_rows:,} row{'s' * (record.n_rows != 1)}"
    return f"Learned from {rows} of {counted(len(graph.names), 'column')}: {found}"


def search_text(record: Record) -> str:
    """Say in a line which search it was: from where it started, and by what it tested.

    Examples
    --------
    >>> from bayesloom.facade import learn
    >>> learned = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20})
    >>> search_text(learned.record)
    'IXGES with chi-square tests (control spending, alpha 0.05)'
    """
    if record.confidence is not None:  # an average of many networks
        return shown(record.search, _WIDEST)
    name, _, rest = record.search.partition("(")
    options = [
        option
        for option in _split(rest.removesuffix(")"))
        if option.partition("=")[0] not in _TOLD_APART
        or (option.startswith("score=") and record.score is None)
    ]
    told = shown(name + (f"({', '.join(options)})" if options else ""), _WIDEST // 2)
    if record.start:
        told += f", from a start graph of {counted(len(record.start), 'edge')}"
    if record.test is not None:
        told += f" with {record.test.name} tests"
        if record.control is not None:
            settings = [f"control {record.control.name}", *_settings(record.control, CONTROLS)]
            told += f" ({', '.join(settings)})"
        else:
            told += f" at the level {record.level:g}"
    return told


def score_text(value: ScoreValue, told: Told | None) -> str:
    """Say what the score is, and which options of it are not 1.

    Examples
    --------
    >>> score_text(ScoreValue("bdeu", -12.5), Told("bdeu", {"ess": 10.0}))
    'bdeu -12.500000 (ess 10)'
    """
    chosen = ", ".join([] if told is None else _settings(told, SCORES))
    return f"{value.name} {value.value:,.6f}" + (f" ({chosen})" if chosen else "")


def belief_text(record: Record) -> str:
    """Say in how many arrows something was believed, and that the score counts it."""
    n = len(record.knowledge.belief)
    few = [f"{a} -> {b} {share:g}" for a, b, share in record.knowledge.arrows[:_TOGETHER]]
    more = [f"and {n - len(few)} more"] if n > len(few) else []
    return f"{', '.join(few + more)}; counted in the score"


def tally_text(record: Record) -> str:
    """Say how many tests were made and what came of them.

    If none was conclusive, nothing was found to be covered either: that is said instead.
    """
    tests = record.tests
    if tests.inconclusive == tests.made:
        one = tests.made == 1
        what = "the one test was not" if one else f"none of {tests.made:,} tests was"
        return (
            f"{what} conclusive (too few rows for so many states, or columns of one state), so "
            "nothing is known of dependencies; merge states (discretize=, --discretize) or use "
            "more rows"
        )
    open_ = sum(not dependency.covered for dependency in record.dependencies)
    found = (
        f"{tests.rejected:,} found a dependency" if tests.rejected else "none found a dependency"
    )
    covered = ""
    if record.dependencies and record.value is not None:  # tests alone, or rules, cover nothing
        covered = f", {open_:,} of which the network does not cover" if open_ else ", all covered"
    return f"{tests.made:,} made: {tests.inconclusive:,} inconclusive, {found}{covered}"


def conflict_text(record: Record) -> str:
    """Say how often tests disagree on directions, and the first of these conflicts."""
    first, *others = record.conflicts
    more = f", and {len(others):,} more" if others else ""
    return f"{first}{more}"


def steps_text(steps: Sequence[Step[str]], families: int = 0) -> str:
    """Count the steps by what they did, and the families that were scored for them.

    Examples
    --------
    >>> from bayesloom.search import Step
    >>> steps_text([Step("insert", "A", "B", 1.0)] * 3)
    '3 (3 insert)'
    """
    kinds = Counter(step.operator for step in steps)
    counted_kinds = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
    said = f"{len(steps):,} ({counted_kinds})" if steps else "none"
    scored = f"{families:,} famil{'y' if families == 1 else 'ies'} scored"
    return f"{said}; {scored}" if families else said


def states_text(n_states: Mapping[str, int]) -> str:
    """Say how many states the columns have, and which have many.

    Examples
    --------
    >>> states_text({"rain": 2, "wet": 2}), states_text({"rain": 2, "wind": 3})
    ('2 per column', '2 to 3 per column')
    >>> states_text({"rain": 2, "pixel": 104})
    '2 to 104 per column; more than 20: pixel 104'
    """
    low, high = min(n_states.values()), max(n_states.values())
    said = f"{low:,}{f' to {high:,}' if high > low else ''} per column"
    many = sorted((-n, name) for name, n in n_states.items() if n > _MANY)
    if many:
        said += f"; more than {_MANY}: {listed((f'{label(name)} {-n:,}' for n, name in many), 5)}"
    return said


def missing_text(record: Record) -> str:
    """Say what is missing in the data, what is missing together, and what became of it.

    Examples
    --------
    >>> from bayesloom.facade import learn
    >>> rows = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 19 + [None, "yes"]}
    >>> from bayesloom.search import GES
    >>> missing_text(learn(rows, GES(), missing="keep").record)
    'wet 1 (2.5 %); 39 of 40 rows miss nothing; counted around: every score and test stands on \
the rows that know its variables'
    """
    missing = record.missing
    if missing is None:
        return "nothing"
    together = [p for p in missing.patterns if len(p.columns) > 1][:_PATTERNS]
    often = ", ".join(
        f"{_joined(p.columns)} in {p.rows:,} row{'s' * (p.rows > 1)}" for p in together
    )
    more = f"; most often together: {often}" if together else ""
    around = "counted around: every score and test stands on the rows that know its variables"
    if record.search.startswith("StructuralEM"):
        around = (
            "completed by the network: the search and its score stand on completed rows, the tests "
            "told of edges on the rows that know their variables"
        )
    return f"{missing.sentence()}{more}; {around}"


def _joined(columns: Sequence[str]) -> str:
    """Name columns that miss cells together, the first few of many.

    Examples
    --------
    >>> _joined("AB"), _joined("ABCDEFG")
    ('A with B', 'A with B with C with D with 3 more')
    """
    named = [label(name) for name in columns[:_TOGETHER]]
    more = len(columns) - len(named)
    return " with ".join([*named, f"{more:,} more"] if more else named)


def as_text(
    record: Record,
    graph: Structure,
    seconds: float | None = None,
    n_states: Mapping[str, int] | None = None,
    em_run: EMRun | None = None,
) -> str:
    """Return the screen that a learned network prints as.

    Parameters
    ----------
    record : Record
        How it was learned; with its strengths the edges are told with theirs.
    graph : DAG, PDAG or ChordalGraph
        What was found.
    seconds : float, optional
        How long it took, if that is known.
    n_states : mapping of str to int, optional
        The number of states of each column.
    em_run : EMRun, optional
        How EM came to the parameters.
    """
    from bayesloom.story.edge_table import EdgeTable

    lines = [headline_text(record, graph)]
    lines += [
        folded(text, _room(), f"  {heading:<{_HEADING}} ", hang=0)
        for heading, text in summary_lines(record, graph, seconds, n_states, em_run)
    ]
    return "\n".join([*lines, *_edge_lines(EdgeTable.of(graph, record=record), graph)])


def as_html(
    record: Record,
    graph: Structure,
    seconds: float | None = None,
    n_states: Mapping[str, int] | None = None,
    em_run: EMRun | None = None,
) -> str:
    """Return a table for notebooks; every name is escaped."""
    from html import escape

    from bayesloom.story.edge_table import EdgeTable

    told = "".join(
        f"<tr><th style='text-align:left'>{escape(heading)}</th>"
        f"<td style='text-align:left'>{escape(text)}</td></tr>"
        for heading, text in summary_lines(record, graph, seconds, n_states, em_run)
    )
    table = EdgeTable.of(graph, record=record)
    rows = "".join(
        f"<tr><td style='text-align:right'>{escape(row.source)}</td>"
        f"<td>{'&rarr;' if row.mark == '->' else '&ndash;'}</td>"
        f"<td style='text-align:left'>{escape(row.target)}</td>"
        f"<td style='text-align:right'>{_strength(row, table.measure)}</td></tr>"
        for row in table.rows[:_MOST_ROWS]
    )
    left = len(table) - _MOST_ROWS
    more = f"<p>and {left:,} more; edge_table() lists all</p>" if left > 0 else ""
    head = escape(_edges_heading(table))
    return (
        f"<div><p><b>{escape(headline_text(record, graph))}</b></p>"
        f"<table>{told}</table><details><summary>{head}</summary><table>{rows}</table>{more}"
        "</details></div>"
    )


def _has_steps(record: Record) -> bool:
    """Say whether there are steps to tell: a search that only tests makes none."""
    return bool(record.steps) or (record.value is not None and record.confidence is None)


def _edges_heading(table: EdgeTable) -> str:
    if table.measure == "loss":
        how = f"by how much {table.score or 'the score'} falls without them"
    elif table.measure == "information":
        how = "by their mutual information (nats)"
    else:
        return f"{table.noun}s"
    return f"{table.noun}s, strongest first: {how}"


def _edge_lines(table: EdgeTable, graph: Structure) -> list[str]:
    """Return the edges side by side, strongest first, and the variables without any."""
    touched = {name for row in table for name in (row.source, row.target)}
    alone = [name for name in graph.names if name not in touched]
    said = [folded(f"isolated: {listed(alone, most=20)}", _room(), "  ")] if alone else []
    if not len(table):
        return said
    room = _room() - 2
    cells = [
        (f"{label(row.source)} {row.mark} {label(row.target)}", _strength(row, table.measure))
        for row in table.rows[: _MOST_LINES * _MOST_COLUMNS]
    ]
    names, numbers = (max(len(cell[k]) for cell in cells) for k in (0, 1))
    width = names + numbers + 2 * (numbers > 0)
    columns = min(_MOST_COLUMNS, max(1, (room + 4) // (width + 4)))
    listed_edges = cells[: _MOST_LINES * columns]
    n_lines = -(-len(listed_edges) // columns)
    lines = [
        "    ".join(
            f"{name:<{names}}  {number:>{numbers}}" for name, number in listed_edges[k::n_lines]
        )
        for k in range(n_lines)
    ]
    left = len(table) - len(listed_edges)
    more = [f"  and {left:,} more; edge_table() lists all"] if left else []
    return [_edges_heading(table), *(f"  {line.rstrip()}" for line in lines), *more, *said]


def _strength(row: TableEdge, measure: str | None) -> str:
    if measure == "loss":
        return f"{row.loss:,.1f}"
    return f"{row.information:.3g}" if measure == "information" else ""


def _meaning(graph: Structure, record: Record) -> str | None:
    """Say once what the marks of the edges mean, where that is not plain."""
    if Kind.of(graph) is Kind.DAG:
        return _membership(graph, record)
    if isinstance(graph, PDAG) and remove_sinks(graph.parent_masks, graph.neighbour_masks)[2]:
        return "no class of networks: there is none that has all these edges as they stand"
    if not undirected(graph):
        settled = Kind.of(graph) is Kind.CLASS and directed(graph)
        return "A -> B: all equivalent networks have the same directions" if settled else None
    if Kind.of(graph) is Kind.MARKOV_NETWORK:
        return "A - B: linked; what no link joins is independent given all the rest"
    arrows = "all of them have A -> B; " if directed(graph) else ""
    return (
        f"a class of equivalent networks: {arrows}where it says A - B, either direction explains "
        "the data equally well"
    )


def _membership(dag: Structure, record: Record) -> str | None:
    """Say how many arrows of a DAG are those of one member of its class."""
    from bayesloom.story.direction import Direction
    from bayesloom.story.edge_table import EdgeTable

    rows = EdgeTable.of(dag, record=record).rows
    free = sum(row.direction == Direction.FREE.value for row in rows)
    if not free:
        return None
    of = f"{free:,} of the {len(rows):,} arrows" if len(rows) > 1 else "its arrow"
    return (
        f"one network of a class: {of} could as well point the other way, in another network that "
        "explains the data equally well (free in edge_table(), open in cpdag)"
    )


def _room() -> int:
    return min(max(terminal_width(), _NARROWEST), _WIDEST)


def _settings(told: Told, registry: Registry) -> list[str]:
    """Write the options that say something: not None, and not 1 where that is usual."""
    usual = registry.defaults(told.name)
    return [
        f"{key} {option_text(option)}"
        for key, option in told.settings.items()
        if option is not None and not (option == 1 and usual.get(key, 1) == 1)
    ]


def _split(options: str) -> list[str]:
    """Split options at the commas that are in no brackets and no quotes.

    Examples
    --------
    >>> _split("score=BDeu(ess=5, kappa=1), restarts=2")
    ['score=BDeu(ess=5, kappa=1)', 'restarts=2']
    """
    found, depth, quote, part = [], 0, "", ""
    for sign in options:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign == "," and not depth:
            found.append(part.strip())
            part = ""
            continue
        else:
            depth += (sign in "([{") - (sign in ")]}")
        part += sign
    return [*found, part.strip()] if part.strip() else found

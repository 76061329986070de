"""The Markov blanket of one variable: what makes all the others uninformative about it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from bayesloom.data.discretization import uses
from bayesloom.data.reading import USUAL, Reading, UntargetedOptions
from bayesloom.engine import heeding, is_counting, is_engine
from bayesloom.errors import OptionError, UnknownVariableError
from bayesloom.facade.entry import checked_engine
from bayesloom.graphs import bits
from bayesloom.learning.duration import seconds_of
from bayesloom.learning.interruption import interruptible
from bayesloom.learning.record import stop_name
from bayesloom.model.declaring import declared_by
from bayesloom.registry import described
from bayesloom.search import IAMB, Budget, Dependency, GrowShrink, Stop, TestTally, Watch

if TYPE_CHECKING:
    from bayesloom.engine import Engine


@dataclass(frozen=True, slots=True, repr=False)
class MarkovBlanket:
    """The Markov blanket of a variable, with the test behind every member.

    Parameters
    ----------
    target : str
        The variable.
    members : tuple of str
        Its blanket, in the order of names: given these, tests find the target independent of all
        others.
    evidence : tuple of Dependency
        For the members the latest test of each given the others, where it rejected independence.
    tests : TestTally
        How many tests were made.
    method : str
        How it was learned.
    stop : Stop
        Why the search ended.
    n_rows : int
        How many rows of data there were.
    seconds : float
        How long it took.
    """

    target: str
    members: tuple[str, ...]
    evidence: tuple[Dependency[str], ...]
    tests: TestTally
    method: str
    stop: Stop
    n_rows: int
    seconds: float

    def to_dict(self) -> dict[str, object]:
        """Return the blanket as plain data, as ``bayesloom blanket --json`` prints it."""
        return {
            "target": self.target,
            "blanket": list(self.members),
            "dependencies": [found.to_dict() for found in self.evidence],
            "tests": {
                "made": self.tests.made,
                "inconclusive": self.tests.inconclusive,
                "rejected": self.tests.rejected,
            },
            "stop": stop_name(self.stop),
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        found = {d.x if d.y == self.target else d.y: d for d in self.evidence}
        size = f"{len(self.members):,} variable{'s' * (len(self.members) != 1)}"
        rows = f"{self.n_rows:,} row{'s' * (self.n_rows != 1)}"
        t = self.tests
        tally = f"{t.made:,} made, {t.inconclusive:,} inconclusive, {t.rejected:,} rejected"
        lines = [
            f"Markov blanket of {self.target}, from {rows}: {size}",
            f"  search   {self.method}",
            f"  tests    {tally}",
            f"  stopped  {self.stop.value}, after {self.seconds:.3f} s",
        ]
        for name in self.members:
            why = f": {found[name]}" if name in found else ": no verdict"
            lines.append(f"  {name}{why}")
        return "\n".join(lines)

    __repr__ = __str__


def markov_blanket(
    data: Any,  # noqa: ANN401 - frames of whatever library
    target: str,
    method: GrowShrink | IAMB | None = None,
    *,
    time_limit: float | str | None = None,
    threads: int | None = None,
    engine: str = "auto",
    memory: int | str | None = None,
    cache: str | os.PathLike[str] | None = None,
    **reading: Unpack[UntargetedOptions],
) -> MarkovBlanket:
    """Learn the Markov blanket of one variable, and of no other.

    Given its blanket (parents, children and other parents of the children) a variable is
    independent of all others: these are the columns worth having to predict it. Every round tests
    the target against all columns at once, so tables of thousands of columns are no trouble.

    Parameters
    ----------
    data : path, frame, Table or Engine
        As for `bayesloom.learn`.
    target : str
        The variable.
    method : GrowShrink or IAMB, optional
        How to look for it. Default: ``IAMB()``.
    time_limit : float or str, optional
        Seconds, or a text such as ``"60s"``; the blanket found so far is then returned. Ctrl-C does
        the same.
    threads : int, optional
        How many threads count; by default as many as there are processors.
    engine, memory, cache : str or int, optional
        Where the rows are counted, ``"auto"``, ``"memory"`` or ``"disk"``, and with how much
        memory; see `bayesloom.learn`.
    **reading
        How to read the data: ``states``, ``missing``, ``missing_markers``, ``numbers``,
        ``discretize``, ``bins``, ``columns``, ``drop``, ``delimiter``, ``encoding``,
        ``states_from``, ``header``, ``skip_lines``, ``strip``, ``dates``, ``auto``, ``strict``; see
        `bayesloom.Reading`. ``discretize="mdl"`` cuts for the target.

    Returns
    -------
    MarkovBlanket
        The members, and the test behind each.

    Raises
    ------
    DataError, FileFormatError
        If the data break the data contract.
    UnknownVariableError
        If the target is not in the data.
    OptionError
        If an option has a value it cannot take.

    Examples
    --------
    >>> rain = ["no", "yes", "yes", "no"] * 50
    >>> found = markov_blanket({"rain": rain, "wet": rain, "day": ["even", "odd"] * 100}, "wet")
    >>> found.members
    ('rain',)
    """
    chosen = IAMB() if method is None else method
    if not isinstance(chosen, GrowShrink | IAMB):
        msg = f"method must be GrowShrink() or IAMB(), got {chosen!r}"
        raise OptionError(msg)
    budget = Budget(seconds_of(time_limit))
    options = {
        **reading,
        "states": declared_by(reading.get("states")),
        "target": target if uses(reading.get("discretize", USUAL.discretize), "mdl") else None,
    }
    how = Reading.from_dict(options, markov_blanket)
    where: dict[str, Any] = {"engine": engine, "memory": memory, "cache": cache}
    if is_engine(data):
        rows: Engine = checked_engine(data, how, threads, where)
    else:
        from bayesloom.engine.choice import engine_here

        rows = engine_here(data, how, threads=threads, **where)[0]
    if not is_counting(rows):
        from bayesloom.learning.default import over_numbers

        chosen = over_numbers(chosen)
    if target not in rows.names:
        raise UnknownVariableError(target, rows.names)
    watch, t = Watch(budget), rows.names.index(target)
    with interruptible(watch):
        found = chosen.blankets(heeding(rows, watch.signal), (t,), (0,) * rows.n_variables, watch)
    evidence = found.evidence(t)
    return MarkovBlanket(
        target=target,
        members=tuple(rows.names[v] for v in bits(found.members[t])),
        evidence=tuple(evidence[y].renamed(rows.names.__getitem__) for y in sorted(evidence)),
        tests=found.tester.tally,
        method=described(chosen),
        stop=watch.why(Stop.COMPLETE),
        n_rows=rows.n_rows,
        seconds=watch.seconds,
    )

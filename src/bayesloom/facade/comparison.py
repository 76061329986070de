"""What came of searches side by side: a table, their agreement, and the edges they share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from bayesloom.data import atomic_file
from bayesloom.errors import UnknownVariableError
from bayesloom.graphs.text import counted
from bayesloom.grid import Grid, NamedColumns, Tabular, label
from bayesloom.learning.record import ScoreValue, stop_name
from bayesloom.learning.structure import Structure, directed, undirected
from bayesloom.search import Stop

_MOST_PAIRS = 20
"""How many pairs the text of a comparison names."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One search with one estimator.

    Parameters
    ----------
    search, estimator : str
        Which.
    log_loss : float, optional
        The mean negative log-likelihood of held-out rows, in nats; None if something failed.
    losses : tuple of float
        The same of every fold.
    score : ScoreValue, optional
        The score of the network of all rows, if the search has one.
    graph : DAG, PDAG or ChordalGraph, optional
        What was found in all rows.
    seconds : float
        Processor time of the search over all rows.
    failure : str
        What went wrong; empty if nothing did.
    """

    search: str
    estimator: str
    log_loss: float | None
    losses: tuple[float, ...]
    score: ScoreValue | None
    graph: Structure | None
    seconds: float
    failure: str = ""

    @property
    def edges(self) -> int | None:
        """How many edges were found in all rows."""
        if self.graph is None:
            return None
        return len(directed(self.graph)) + len(undirected(self.graph))


@dataclass(frozen=True, slots=True, repr=False)
class AgreementTable(Tabular):
    """For every two searches the share of the pairs joined by one of them that both join."""

    titles: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]

    def share(self, a: str, b: str) -> float:
        """Return the agreement of two searches.

        Raises
        ------
        UnknownVariableError
            If a search is not there.
        """
        for title in (a, b):
            if title not in self.titles:
                raise UnknownVariableError(title, self.titles, "among the searches")
        return self.shares[self.titles.index(a)][self.titles.index(b)]

    __repr__ = Tabular.__str__

    def _columns(self) -> NamedColumns:
        columns = [(title, [row[k] for row in self.shares]) for k, title in enumerate(self.titles)]
        return [("search", list(self.titles)), *columns]

    def _grid(self, most: int | None) -> Grid:
        rows = [
            (label(title), f"{k + 1}", *(f"{share:.2f}" for share in row))
            for k, (title, row) in enumerate(zip(self.titles, self.shares, strict=True))
        ]
        return Grid(
            "Agreement: share of the pairs that either joins which both join",
            ("search", "", *(f"{k + 1}" for k in range(len(self.titles)))),
            rows[:most],
            2,
            more=len(rows) - len(rows[:most]),
            noun="search",
        )


@dataclass(frozen=True, slots=True, repr=False)
class SharedEdges(Tabular):
    """How many searches join each pair, and how; pairs that none joins are left out."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[str, ...]], ...]
    left_out: int = 0
    """How many pairs that all join are left out."""

    def disputed(self) -> SharedEdges:
        """Return the pairs that some join and some do not."""
        rows = tuple(row for row in self.rows if not all(row[2]))
        return SharedEdges(self.titles, rows, len(self.rows) - len(rows))

    __repr__ = Tabular.__str__

    def __iter__(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield (x, y, marks): for every search ``->``, ``<-``, ``-`` or an empty text."""
        return iter(self.rows)

    def _columns(self) -> NamedColumns:
        return [
            ("x", [x for x, _, _ in self.rows]),
            ("y", [y for _, y, _ in self.rows]),
            ("joined_by", [sum(map(bool, marks)) for _, _, marks in self.rows]),
            *((title, [row[2][k] for row in self.rows]) for k, title in enumerate(self.titles)),
        ]

    def _grid(self, most: int | None) -> Grid:
        cells = [
            (f"{label(x)} {label(y)}", f"{sum(map(bool, marks))}", *marks)
            for x, y, marks in self.rows
        ]
        agreed = [f"besides, {counted(self.left_out, 'pair')} joined by all"] * bool(self.left_out)
        return Grid(
            f"Pairs: how many of {len(self.titles):,} networks join them",
            ("pair", "joined by", *(f"{k + 1}" for k in range(len(self.titles)))),
            cells[:most],
            1,
            more=len(cells) - len(cells[:most]),
            noun="pair",
            notes=(*(f"{k + 1}: {title}" for k, title in enumerate(self.titles)), *agreed),
        )


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Tabular):
    """Searches side by side.

    Parameters
    ----------
    contenders : tuple of Contender
        In the order they were given.
    names : tuple of str
        The variables.
    folds, seed, n_rows : int
        How the rows were divided, and how many there are.
    stop : Stop
        Why it ended.
    seconds : float
        How long it took.
    """

    contenders: tuple[Contender, ...]
    names: tuple[str, ...]
    folds: int
    seed: int
    n_rows: int
    stop: Stop
    seconds: float

    def __iter__(self) -> Iterator[Contender]:
        return iter(self.contenders)

    def __len__(self) -> int:
        return len(self.contenders)

    @property
    def best(self) -> Contender | None:
        """The one with the lowest log-loss; None if all failed."""
        return next((row for row in self._sorted() if row.log_loss is not None), None)

    @property
    def agreement(self) -> AgreementTable:
        """How far the networks of all rows agree."""
        found = self._graphs()
        pairs = {title: _joined(graph) for title, graph in found.items()}
        shares = tuple(
            tuple(_share(pairs[a], pairs[b]) for b in found) for a in found
        )  # fmt: skip
        return AgreementTable(tuple(found), shares)

    @property
    def edges(self) -> SharedEdges:
        """How many networks of all rows join each pair."""
        from bayesloom.learning.structure import mark

        found = self._graphs()
        pairs = sorted({pair for graph in found.values() for pair in _joined(graph)})
        rows = [(x, y, tuple(mark(graph, x, y) for graph in found.values())) for x, y in pairs]
        rows.sort(key=lambda row: -sum(map(bool, row[2])))
        return SharedEdges(tuple(found), tuple(rows))

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain data, as ``bayesloom compare --json`` prints it."""
        rows = [
            {
                "search": row.search,
                "estimator": row.estimator,
                "log_loss": row.log_loss,
                "folds": list(row.losses),
                "score": None if row.score is None else row.score._asdict(),
                "edges": row.edges,
                "directed": None if row.graph is None else [list(e) for e in directed(row.graph)],
                "undirected": None
                if row.graph is None
                else [list(e) for e in undirected(row.graph)],
                "seconds": row.seconds,
                "failure": row.failure or None,
            }
            for row in self.contenders
        ]
        agreement = self.agreement
        return {
            "searches": rows,
            "best": None if self.best is None else self.best.search,
            "folds": self.folds,
            "seed": self.seed,
            "rows": self.n_rows,
            "agreement": {
                "searches": list(agreement.titles),
                "shares": [list(row) for row in agreement.shares],
            },
            "edges": [
                {"x": x, "y": y, "joined_by": sum(map(bool, marks)), "marks": list(marks)}
                for x, y, marks in self.edges
            ],
            "stop": stop_name(self.stop),
            "seconds": self.seconds,
        }

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the comparison as an HTML page, and write it if a path is given."""
        from bayesloom.report.page import check_page_path
        from bayesloom.report.side_page import side_page

        if path is not None:
            check_page_path(path)
        parts = [self._grid(None).html(), self.agreement._grid(None).html()]  # noqa: SLF001
        parts.append(self.edges._grid(None).html())  # noqa: SLF001 - of this module
        text = side_page("Searches side by side", parts)
        if path is not None:
            with atomic_file(path) as file:
                file.write(text.encode())
        return text

    __repr__ = Tabular.__str__

    def __str__(self) -> str:
        if len(self.agreement.titles) == 1:
            return self.text()
        shown = [self.text(), self.agreement.text()]
        disputed = self.edges.disputed()
        if disputed.rows:
            shown.append(disputed.text(rows=_MOST_PAIRS))
        return "\n".join(shown)

    def _graphs(self) -> dict[str, Structure]:
        return {row.search: row.graph for row in self.contenders if row.graph is not None}

    def _sorted(self) -> list[Contender]:
        return sorted(
            self.contenders, key=lambda row: (row.log_loss is None, row.log_loss or 0.0)
        )  # fmt: skip

    def _columns(self) -> NamedColumns:
        rows = self._sorted()
        return [
            ("search", [row.search for row in rows]),
            ("estimator", [row.estimator for row in rows]),
            ("log_loss", [row.log_loss for row in rows]),
            ("score", [None if row.score is None else row.score.name for row in rows]),
            ("value", [None if row.score is None else row.score.value for row in rows]),
            ("edges", [row.edges for row in rows]),
            ("seconds", [row.seconds for row in rows]),
            ("failure", [row.failure or None for row in rows]),
        ]

    def _grid(self, most: int | None) -> Grid:
        several = len({row.estimator for row in self.contenders}) > 1
        best = self.best
        cells = []
        for row in self._sorted():
            apart = ""
            if row.log_loss is not None and best is not None and best.log_loss is not None:
                apart = f"+{row.log_loss - best.log_loss:.4f}"
            cells.append(
                (
                    label(row.search),
                    *((label(row.estimator),) if several else ()),
                    "" if row.log_loss is None else f"{row.log_loss:.4f}",
                    apart,
                    "" if row.score is None else f"{row.score.name} {row.score.value:,.1f}",
                    "" if row.edges is None else f"{row.edges:,}",
                    f"{row.seconds:.3f}",
                )
            )
        heads = ("search", *(("estimator",) if several else ()), "log-loss", "behind", "score")
        failed = [row for row in self.contenders if row.failure]
        notes = dict.fromkeys(f"{row.search} failed: {row.failure}" for row in failed)
        return Grid(
            f"{self.n_rows:,} rows, {self.folds} folds, seed {self.seed}: lowest log-loss first",
            (*heads, "edges", "CPU s"),
            cells[:most],
            2 if several else 1,
            more=len(cells) - len(cells[:most]),
            notes=(
                "log-loss: mean of held-out rows, in nats; score, edges and time: of all rows",
                *notes,
            ),
        )


def _joined(graph: Structure) -> set[tuple[str, str]]:
    ends = (*directed(graph), *undirected(graph))
    return {(min(pair), max(pair)) for pair in ends}


def _share(a: set[tuple[str, str]], b: set[tuple[str, str]]) -> float:
    return len(a & b) / len(a | b) if a | b else 1.0

"""MIIC: take off what others contribute to the information of a pair, then direct what is left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bayesloom.engine import Batch, Engine
from bayesloom.errors import check_flag, listed
from bayesloom.graphs import bits, mask_of
from bayesloom.scores import FNML, Score, check_score
from bayesloom.search.constraint.contributors import Contributors
from bayesloom.search.constraint.orientation import Orientation, Oriented
from bayesloom.search.constraint.skeleton import required_pairs
from bayesloom.search.constraint.surplus import Surpluses
from bayesloom.search.constraint.tester import NodePair
from bayesloom.search.constraint.testing_search import (
    chosen_by_score,
    cut_off_notes,
    no_extension,
    refuse_max_parents,
    told_apart,
)
from bayesloom.search.constraint.three_points import directed_by_information, three_points
from bayesloom.search.facts.fact import V
from bayesloom.search.facts.finding import Finding, ReportColumn
from bayesloom.search.limits import Limits
from bayesloom.search.memory import check_memory
from bayesloom.search.result import SearchResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.watch import Watch

_BYTES_PER_PAIR = 400  # of surpluses, of families in the memory of scores


@dataclass(frozen=True, slots=True)
class Weighing(Finding[V]):
    """The information of a pair given a set, weighed against what it costs to encode it.

    Parameters
    ----------
    x, y : int
        The pair, x < y; names in a record.
    given : tuple of int
        What was conditioned on, in order.
    information : float
        The conditional mutual information of x and y, in nats per row.
    complexity : float
        What has to be taken off, in nats per row, because any two variables look dependent in so
        few rows; the pair stays joined if the information is larger.
    """

    given: tuple[V, ...]
    information: float
    complexity: float

    title: ClassVar[str] = "Informations"
    about: ClassVar[str] = (
        "This search made no tests: a pair is joined if its information, in nats per row, is "
        "larger than its complexity."
    )
    columns: ClassVar[tuple[ReportColumn, ...]] = (
        ReportColumn("given", "given", "variables"),
        ReportColumn("information", "information"),
        ReportColumn("complexity", "complexity"),
    )

    def sentence(self, *, joined: bool = False) -> str:
        """Say what information kept a pair together, or was too little to.

        Examples
        --------
        >>> print(Weighing("A", "B", ("C",), 0.25, 0.0125).sentence(joined=True))
        The search kept A and B together: given C, which contributes to what they share, their \
information is 0.25 nats per row and its complexity 0.0125.
        """
        balance = (
            f"their information is {self.information:.4g} nats per row and its complexity "
            f"{self.complexity:.4g}."
        )
        given = f"given {listed(map(str, self.given))}" if self.given else "with nothing given"
        if not joined:
            return f"The search took {self.x} and {self.y} apart {given}: {balance}"
        through = ", which contributes to what they share," if self.given else ""
        return f"The search kept {self.x} and {self.y} together: {given}{through} {balance}"


@dataclass(frozen=True, slots=True)
class MIIC(BaseSearch):
    """MIIC (3off2), without latent variables: pairs whose information others do not contribute.

    What two variables share counts as far as it exceeds its complexity, the information that
    variables seem to share by chance in so few rows. A pair that shares nothing beyond that is
    taken apart. The others collect contributors: the neighbour z that most probably stands between
    x and y (no collider, and x and y the weakest pair of the three) is given from then on, and the
    pair is taken apart once it shares nothing beyond the complexity. The pair with the likeliest
    contributor comes first, until no contributor is more likely than not. There is no level to
    choose, and no test is made.

    Then x - z - y, of which x and y are apart, is a collider if z makes them share more (its
    three-point information is negative). Arrows are directed in the order of their probability,
    and lead on to others; Meek's rules direct what follows. What contradicts more probable arrows,
    knowledge, or would close a cycle is left out and told as a conflict: there are no bidirected
    edges.

    Knowledge holds: required edges stay, pairs that must not be joined are never joined, and tiers
    direct edges first. A limit on parents is refused.

    Parameters
    ----------
    score : Score
        What the complexity is that of: information minus complexity is by how much this score
        rises with the edge. `FNML` is the NML of the references, `BIC` their MDL (BIC), and
        `LogLikelihood` takes nothing off. The result has no score: nothing is maximised.
    everywhere : bool
        Let all variables contribute to a pair, as pyAgrum does, not only neighbours of one of the
        two, as the references do; it takes longer.

    References
    ----------
    S. Affeldt, L. Verny, H. Isambert: 3off2: a network reconstruction algorithm based on 2-point
    and 3-point information statistics, BMC Bioinformatics 17 (Suppl 2), 2016. L. Verny, N. Sella,
    S. Affeldt, P. P. Singh, H. Isambert: Learning causal networks with latent variables from
    multivariate information in genomic data, PLoS Computational Biology 13, 2017.

    Examples
    --------
    >>> from bayesloom.facade import learn
    >>> rain, sprinkler = ["no", "yes"] * 40, ["off", "off", "on", "on"] * 20
    >>> wet = [r == "yes" or s == "on" for r, s in zip(rain, sprinkler)]
    >>> net = learn({"rain": rain, "sprinkler": sprinkler, "wet": [str(w) for w in wet]}, MIIC())
    >>> net.edges
    (('rain', 'wet'), ('sprinkler', 'wet'))
    >>> [(found.x, found.y, round(found.complexity, 3)) for found in net.separations]
    [('rain', 'sprinkler', 0.023)]
    """

    score: Score = FNML()
    everywhere: bool = False

    def __post_init__(self) -> None:
        check_score(self.score)
        check_flag("everywhere", self.everywhere)

    def goal(self, n_rows: int) -> Score | None:  # noqa: ARG002 - as all searches
        """Return None: the score says what complexity is, and nothing is maximised."""
        return None

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        instead = chosen_by_score("MIIC")
        refuse_max_parents(limits, "MIIC", does="weighs informations", instead=instead)
        n = engine.n_variables
        check_memory(_BYTES_PER_PAIR * n * (n - 1) // 2, f"comparing all pairs of {n:,} variables")
        surpluses = Surpluses(engine, self.score, watch)
        pairs = self._contributors(engine, limits, surpluses)
        pairs.collect()
        oriented = _directed(pairs, surpluses, limits, watch)
        return _result(pairs, oriented, surpluses, watch)

    def _contributors(self, engine: Engine, limits: Limits, surpluses: Surpluses) -> Contributors:
        """Join every pair that may be joined; look at the others, too, if both vary."""
        varied = mask_of(np.flatnonzero(~engine.constant).tolist())
        apart = [
            varied & ~pairs & ~(1 << v) if varied >> v & 1 else 0
            for v, pairs in enumerate(limits.pairs)
        ]
        return Contributors(
            list(limits.pairs),
            surpluses,
            surpluses.watch,
            required_pairs(limits),
            apart,
            varied if self.everywhere else 0,
        )


def _directed(pairs: Contributors, surpluses: Surpluses, limits: Limits, watch: Watch) -> Oriented:
    """Direct the edges; if the watch runs out, only those that knowledge directs."""
    if watch.stopped is None:
        with watch.heeded():
            found = three_points(pairs.adjacency, pairs.separated, pairs.given, surpluses)
            return directed_by_information(pairs.adjacency, found, limits)
    return Oriented.extended(*Orientation(pairs.adjacency, limits).closed(), limits)


def _result(
    pairs: Contributors, oriented: Oriented, surpluses: Surpluses, watch: Watch
) -> SearchResult:
    """Tell what took pairs apart, and what kept the others."""
    apart, notes = told_apart(sorted(pairs.separated), lambda pair: pairs.given[pair])
    if watch.stopped is not None:
        notes += cut_off_notes(watch, supposed=pairs.supposed)
        notes.append("nothing is directed but by knowledge")
    if oriented.dag is None:
        notes.append(no_extension(oriented, "informations contradict each other"))
    kept = [(x, y) for x, y in sorted(pairs.given) if pairs.adjacency[x] >> y & 1]
    return SearchResult(
        dag=oriented.dag,
        graph=oriented.graph,
        score=None,
        steps=(),
        stop=watch.why(Stop.COMPLETE),
        candidates=surpluses.n_asked,
        notes=tuple(notes),
        separations=_weighed(apart, pairs, surpluses),
        conflicts=oriented.conflicts,
        weighed=_weighed(kept, pairs, surpluses),
    )


def _weighed(
    told: Iterable[NodePair], pairs: Contributors, surpluses: Surpluses
) -> tuple[Weighing, ...]:
    """Return the informations of pairs given their contributors, and the complexity: one batch."""
    engine = surpluses.engine
    groups: dict[NodePair, list[int]] = {}
    for x, y in told:
        groups.setdefault((x, pairs.given[x, y]), []).append(y)
    batch = Batch.of((x, bits(given), ys) for (x, given), ys in groups.items())
    values = iter(engine.informations(batch).tolist())
    found = []
    for (x, given), ys in groups.items():
        for y, information in zip(ys, values, strict=False):
            surplus = surpluses[x, y, given] / engine.n_rows
            found.append(Weighing(x, y, tuple(bits(given)), information, information - surplus))
    return tuple(sorted(found, key=lambda each: (each.x, each.y)))

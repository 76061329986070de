"""A classifier: a network, the variable it tells, and how columns become its states."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.arrays import Floats, Ints
from bayesloom.classification.attribute import Attribute, Unseen
from bayesloom.data import Reading
from bayesloom.data.interval import interval_labels
from bayesloom.data.reader import columns_in
from bayesloom.errors import DataError, ModelError, OptionError, UnknownVariableError, listed
from bayesloom.graphs import bits, topological_order
from bayesloom.inference import CompiledNet, Posterior, compile_net
from bayesloom.model import BayesNet, as_bayes_net
from bayesloom.processor import n_processors

if TYPE_CHECKING:
    from bayesloom.classification.explanation import ClassExplanation
    from bayesloom.report import Picture

_NUMBERS = 1 << 22  # probabilities that are in memory at once where only the best is wanted


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Classifier:
    """A network that tells a class from attributes.

    Cells that are not known are summed over exactly. A row for which every class has probability 0
    gets the probabilities of the classes without any attribute.

    Parameters
    ----------
    net : network
        The network, of any kind, with the class among its variables.
    target : str
        The class.
    cuts : mapping of str to tuple of float
        For attributes that are numbers, where these are cut.

    Examples
    --------
    >>> no_yes = ["no", "yes"]
    >>> net = BayesNet.from_tables(
    ...     {
    ...         "flu": (no_yes, [], [0.9, 0.1]),
    ...         "fever": (["(-inf,38]", "(38,inf)"], ["flu"], [[0.9, 0.1], [0.2, 0.8]]),
    ...     }
    ... )
    >>> classifier = Classifier(net, "flu", {"fever": (38.0,)})
    >>> classifier.predict({"fever": [36.6, 39.5, None]}).tolist()
    ['no', 'no', 'no']
    >>> classifier.probabilities({"fever": [39.5]}).round(4)
    array([[0.5294, 0.4706]])
    """

    net: BayesNet
    target: str
    cuts: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    _odds: _native.ClassOdds = field(init=False)
    _compiled: CompiledNet | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "net", as_bayes_net(self.net))
        self.net.index(self.target)
        for name, cuts in self.cuts.items():
            if name not in self.net.names or name == self.target:
                raise UnknownVariableError(name, self.names, "among the cuts")
            if tuple(interval_labels(cuts)) != self.net.states_of(name):
                bins = listed(self.net.states_of(name))
                msg = f"the cuts of {name!r} do not make its bins, which are {bins}"
                raise ModelError(msg)
        object.__setattr__(self, "cuts", dict(self.cuts))
        object.__setattr__(self, "_odds", _class_odds(self.net, self.net.index(self.target)))

    def __reduce__(self) -> tuple[type[Classifier], tuple[object, ...]]:
        """Make copies, and what comes from another process, anew from the network."""
        return Classifier, (self.net, self.target, self.cuts)

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes, in the order of the network."""
        return tuple(name for name in self.net.names if name != self.target)

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels of the classes."""
        return self.net.states_of(self.target)

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """How the cells of each attribute become states."""
        return tuple(
            Attribute(name, self.net.states_of(name), self.cuts.get(name)) for name in self.names
        )

    @property
    def used(self) -> tuple[str, ...]:
        """The attributes that tell something of the class if all are known: its Markov blanket."""
        return self.net.dag.markov_blanket(self.target)

    def codes(
        self,
        data: Any,  # noqa: ANN401 - frames of whatever library
        unseen: Unseen = "missing",
        missing_markers: Collection[object] = (),
    ) -> Ints:
        """Return the states of the attributes in data of any kind, -1 where a cell is not known.

        Columns are matched by name; further ones are ignored.

        Parameters
        ----------
        data : path, frame or Table
            Rows of attributes.
        unseen : {"missing", "error"}
            What a state is that was not there in training: not known, or an error.
        missing_markers : collection
            Labels that mean missing, such as ``"?"``.

        Returns
        -------
        array of shape (attributes, rows)

        Raises
        ------
        DataError
            If a column is missing, or a cell cannot be read.
        """
        if unseen not in ("missing", "error"):
            msg = f'unseen must be "missing" or "error", got {unseen!r}'
            raise OptionError(msg)
        try:
            reading = Reading(columns=self.names or None, missing_markers=missing_markers)
            columns, source = columns_in(data, reading)
        except DataError as error:
            if "which is not there" not in str(error):
                raise
            msg = f"the data must have every attribute of the classifier; {error}"
            raise DataError(msg) from None
        codes = np.empty((len(self.names), columns[0].n_rows), np.int32)
        for v, attribute in enumerate(self.attributes):
            codes[v] = attribute.codes(columns[v], unseen, source)
        return codes

    def log_probabilities(self, codes: Ints, threads: int | None = None) -> Floats:
        """Return the natural logarithms of the classes' probabilities, one row per row of data.

        Parameters
        ----------
        codes : array of shape (attributes, rows)
            The states of the attributes, -1 where a cell is not known.
        threads : int, optional
            How many threads share the rows; by default as many as there are processors.
        """
        logs = self._logs(codes, threads)
        logs -= logs.max(axis=1, keepdims=True)
        logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
        return logs

    def _logs(self, codes: Ints, threads: int | None) -> Floats:
        """Return the logarithms up to a number per row."""
        checked = np.ascontiguousarray(codes, np.int32)
        n_rows = checked.shape[1]
        if not len(checked):
            return np.tile(self._log_prior(), (n_rows, 1))
        try:
            logs = self._odds.logs(checked, threads or n_processors())
        except ValueError as error:
            msg = f"these are no codes of the classifier's attributes: {error}"
            raise DataError(msg) from None
        logs = logs.reshape(n_rows, len(self.classes))
        holed = np.flatnonzero(np.isnan(logs[:, 0]))
        if len(holed):
            logs[holed] = self._summed_over_holes(checked[:, holed])
        impossible = np.isneginf(logs.max(axis=1))
        if impossible.any():
            logs[impossible] = self._log_prior()
        return logs

    def probabilities(self, data: Any, unseen: Unseen = "missing") -> Floats:  # noqa: ANN401
        """Return the probabilities of the classes, one row per row of data; see `codes`."""
        return np.exp(self.log_probabilities(self.codes(data, unseen)))

    def predict(self, data: Any, unseen: Unseen = "missing") -> npt.NDArray[np.str_]:  # noqa: ANN401
        """Return the label of the most probable class of each row; see `codes`."""
        return np.array(self.classes)[self.best(self.codes(data, unseen))]

    def best(self, codes: Ints, threads: int | None = None) -> npt.NDArray[np.intp]:
        """Return the most probable class of each row, the first of equally probable ones."""
        step = max(1, _NUMBERS // len(self.classes))
        blocks = [
            self._logs(codes[:, first : first + step], threads).argmax(axis=1)
            for first in range(0, codes.shape[1], step)
        ]
        return np.concatenate([np.zeros(0, np.intp), *blocks])

    def explain(
        self,
        row: Mapping[str, object],
        label: str | None = None,
        against: str | None = None,
    ) -> ClassExplanation:
        """Return what every attribute of a row says for one class and against another.

        The logarithm of the odds of the two classes is their logarithm without any attribute, plus
        what it changes by when the attributes are told one after the other, parents first. For
        naive Bayes and TAN that is the quotient of the attribute's probabilities given its parents.

        Parameters
        ----------
        row : mapping of str to object
            The cell of each attribute; what is left out is not known.
        label, against : str, optional
            The class to explain and the one to compare it with; by default the most probable class
            and the next one.

        Examples
        --------
        >>> no_yes = ["no", "yes"]
        >>> net = BayesNet.from_tables(
        ...     {
        ...         "flu": (no_yes, [], [0.9, 0.1]),
        ...         "fever": (no_yes, ["flu"], [[0.9, 0.1], [0.2, 0.8]]),
        ...     }
        ... )
        >>> print(Classifier(net, "flu").explain({"fever": "yes"}))
        flu: no 0.5294 against yes 0.4706
        log-odds of no against yes: 0.118
          2.197  before any attribute
         -2.079  fever = yes
        """
        from bayesloom.classification.explanation import explain_codes

        for name in row:
            if name not in self.names:
                raise UnknownVariableError(name, self.names, "in the row")
        cells = {name: [row.get(name)] for name in self.names}
        codes = self.codes(cells)[:, 0] if cells else np.zeros(0, np.int32)
        return explain_codes(self, codes, label, against)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Picture:
        """Draw the network with its class; write it to an ``.svg`` or ``.png`` file.

        Raises
        ------
        FileFormatError
            If the ending is another or the file cannot be written.
        """
        from bayesloom.classification.classifier_drawing import classifier_picture

        picture = classifier_picture(self)
        if path is not None:
            picture.save(path)
        return picture

    def _log_prior(self) -> Floats:
        with np.errstate(divide="ignore"):
            found: Floats = np.log(_listed(self._compile().posterior(self.target)))
        return found

    def _compile(self) -> CompiledNet:
        made = self._compiled or compile_net(self.net)
        object.__setattr__(self, "_compiled", made)
        return made

    def _summed_over_holes(self, codes: Ints) -> Floats:
        """Return the logarithms for rows with holes by exact inference, for equal rows once."""
        from bayesloom.errors import EvidenceError

        compiled = self._compile()
        rows, again = np.unique(codes, axis=1, return_inverse=True)
        found = np.empty((rows.shape[1], len(self.classes)))
        for k, row in enumerate(rows.T.tolist()):
            given = {
                name: self.net.states_of(name)[code]
                for name, code in zip(self.names, row, strict=True)
                if code >= 0
            }
            try:
                found[k] = _listed(compiled.posterior(self.target, given))
            except EvidenceError:
                found[k] = 0.0
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(found)[again.ravel()]
        return logs

    def __repr__(self) -> str:
        kinds = f"{len(self.names)} attributes, {len(self.cuts)} of them numbers"
        return f"Classifier of {self.target} ({listed(self.classes, 6)}) from {kinds}"


def _listed(posterior: Posterior) -> list[float]:
    """Return the probabilities in the order of the states."""
    return list(posterior.probabilities.values())


def _class_odds(net: BayesNet, target: int) -> _native.ClassOdds:
    """Return the native sum of the factors that hold the class; of all factors, if they are a tree.

    In a tree the class has no parents and every attribute at most one other attribute as parent.
    """
    parents = [bits(mask) for mask in net.dag.parent_masks]
    attributes = [v for v in range(net.n) if v != target]
    column = {v: k for k, v in enumerate(attributes)}
    tree = not parents[target] and all(len({*parents[v]} - {target}) <= 1 for v in attributes)
    order = [v for v in reversed(topological_order(net.dag.parent_masks)) if v != target]
    classes = len(net.states[target])
    with np.errstate(divide="ignore"):
        logs = [np.log(table) for table in net.tables]
    chosen = order if tree else [v for v in order if target in parents[v]]
    factors = [(v, _class_last(logs[v], [*parents[v], v], target, classes)) for v in chosen]
    prior = np.zeros(classes)
    if parents[target]:
        factors.append((target, logs[target].reshape(-1, classes)))
    else:
        prior = np.ascontiguousarray(logs[target])
    scopes = [[column[u] for u in (*parents[v], v) if u != target] for v, _ in factors]
    tables = [np.zeros(0), *(table.ravel() for _, table in factors)]
    return _native.ClassOdds(
        np.array([len(net.states[v]) for v in attributes], np.int32),
        prior,
        np.array([0, *accumulate(map(len, scopes))], np.int64),
        np.array([u for scope in scopes for u in scope], np.int32),
        np.array([0, *accumulate(len(table) for table in tables[1:])], np.int64),
        np.ascontiguousarray(np.concatenate(tables)),
        tree,
    )


def _class_last(table: Floats, scope: Sequence[int], target: int, classes: int) -> Floats:
    """Return a table with the class as its last axis, which is added where it is not there."""
    if target not in scope:
        return np.repeat(table.ravel()[:, None], classes, axis=1)
    return np.moveaxis(table, list(scope).index(target), -1)

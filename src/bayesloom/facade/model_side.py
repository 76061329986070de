"""What can be asked of a network with parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

if TYPE_CHECKING:
    from bayesloom.arrays import Floats
    from bayesloom.data import Reading, Table
    from bayesloom.data.reading import ReadingOptions, RowOptions
    from bayesloom.evaluation import Evaluation
    from bayesloom.inference import (
        Explanation,
        Given,
        Imputation,
        Predictions,
        Soft,
    )
    from bayesloom.inference.imputation import ImputeMethod
    from bayesloom.model import AnyNet, BayesNet, CoefficientTable, ConditionalTable
    from bayesloom.model.observation import UnseenPolicy


class ModelSide:
    """The probabilities of a network: queries, predictions, samples, likelihoods."""

    __slots__ = ()
    reading: Reading | None

    @property
    def net(self) -> BayesNet:
        """The network with its parameters, as a plain value."""
        raise NotImplementedError

    @property
    def states(self) -> dict[str, tuple[str, ...]]:
        """The labels of the states of each variable."""
        return dict(zip(self.net.names, self.net.states, strict=True))

    @property
    def n_parameters(self) -> int:
        """The number of free parameters."""
        return self.net.n_parameters

    def table(self, name: str) -> ConditionalTable | Any:  # noqa: ANN401 - of a number a RegressionTable
        """Return a variable given its parents as a labelled table.

        Of a category it has probabilities, of a number the intercept, the coefficients and the
        standard deviation of its regressions (`RegressionTable`).

        Examples
        --------
        >>> from bayesloom.facade import example
        >>> print(example("asia").table("lung"))
        P(lung | smoke)
          smoke       yes        no
          yes    0.100000  0.900000
          no     0.010000  0.990000
        """
        from bayesloom.model import conditional_table, regression_table

        if name in self.net.numbers:
            return regression_table(self.net, name)
        return conditional_table(self.net, name)

    @property
    def tables(self) -> dict[str, ConditionalTable | Any]:
        """The labelled table of each variable."""
        return {name: self.table(name) for name in self.net.names}

    def coefficients(self) -> CoefficientTable:
        """Return the coefficients of all numbers, with their standard errors, as one table.

        Examples
        --------
        >>> from bayesloom.facade import network
        >>> from bayesloom.model import LinearGaussian
        >>> net = network({"age": ((), [], LinearGaussian(40.0, None, 12.0))})
        >>> net.coefficients().to_frame("arrow").column_names
        ['variable', 'given', 'parent', 'coefficient', 'error', 'rows']
        """
        from bayesloom.model import coefficient_table

        return coefficient_table(self.net)

    @property
    def mean(self) -> dict[str, float]:
        """The mean of every number, over all categories."""
        from bayesloom.inference import query

        return {name: query(self.net, name).mean for name in self.net.numbers}

    @property
    def covariance(self) -> Floats:
        """The covariance matrix of a network of numbers alone, in the order of ``names``.

        Raises
        ------
        ModelError
            If the network has categories.
        """
        from bayesloom.model.normal_net import normal_of

        return normal_of(self.net)[1]

    def query(
        self,
        target: str | list[str] | tuple[str, ...],
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> Any:  # noqa: ANN401 - the kinds of answers have little in common
        """Return the exact posterior of a variable, or the joint posterior of several.

        It is a `Posterior` of a category, a `NumberPosterior` of a number (mean, sd, interval,
        density, and the normals that it is a mixture of), and of several variables a
        `JointPosterior` or, with numbers among them, a `MixedPosterior`.

        Parameters
        ----------
        target : str or list of str
            The variable asked for, or several for their joint posterior.
        given : mapping of str to str or number, optional
            Observed states and numbers by variable; of a category a number falls into its bin.
        soft : mapping of str to mapping, optional
            Likelihoods by variable and state.

        Raises
        ------
        UnknownVariableError, UnknownStateError, EvidenceError
            As for `bayesloom.query`.

        Examples
        --------
        >>> from bayesloom.facade import learn
        >>> learned = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20})
        >>> round(learned.query("rain", given={"wet": "yes"})["yes"], 3)
        0.9
        """
        from bayesloom.inference import query

        return query(self.net, target, given, soft=soft)

    def log_likelihood(self, data: object, **reading: Unpack[ReadingOptions]) -> float:
        """Return the natural logarithm of the probability of all rows of data.

        Parameters
        ----------
        data : path, frame, Table or Engine
            The data; a file or frame is read as the network's own data were, with its states.
            Empty cells are summed over exactly.
        **reading
            What of that shall be otherwise, such as ``missing="drop"``; see `bayesloom.Reading`.

        Raises
        ------
        DataError, UnknownVariableError, UnknownStateError
            If the data lack a variable, or have a state, that the network does not know.
        """
        from bayesloom.model import engine_for, log_likelihood

        return log_likelihood(self.net, engine_for(self.net, data, self.reading, reading))

    def log_loss(self, data: object, **reading: Unpack[ReadingOptions]) -> float:
        """Return the mean negative log-likelihood of the rows of data, in nats.

        The parameters are those of `log_likelihood`.
        """
        from bayesloom.evaluation import log_loss
        from bayesloom.model import engine_for

        return log_loss(self.net, engine_for(self.net, data, self.reading, reading))

    def evaluate(self, true: AnyNet, *, floor: float = 0.0) -> Evaluation:
        """Compare the network with the true one.

        Parameters
        ----------
        true : network or path
            The true network, over the same variables.
        floor : float
            Take smaller probabilities of this network for it, so that the divergence stays finite.

        Examples
        --------
        >>> from bayesloom.facade import example
        >>> example("asia").evaluate(example("asia")).shd
        0
        """
        from bayesloom.evaluation import evaluate

        return evaluate(true, self.net, floor=floor)

    def sample(
        self,
        n_rows: int,
        seed: np.random.Generator | int = 0,
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> Table:
        """Draw rows from the network's distribution, given evidence if there is any.

        Parameters
        ----------
        n_rows : int
            How many rows.
        seed : int or numpy Generator, default 0
            The same seed gives the same rows; a generator goes on drawing.
        given, soft : optional
            Evidence, as for `query`; rows that agree with it are drawn exactly.

        Examples
        --------
        >>> from bayesloom.facade import example
        >>> rows = example("asia").sample(3, given={"smoke": "yes"})
        >>> rows.n_rows, int(rows.column("smoke").sum())
        (3, 0)
        """
        from bayesloom.inference import sample

        return sample(self.net, n_rows, seed, given, soft=soft)

    def most_probable(
        self,
        targets: str | Iterable[str] | None = None,
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> Explanation:
        """Return the most probable states of some variables (MAP), by default of all (MPE).

        Parameters
        ----------
        targets : str or iterable of str, optional
            The variables asked for. Default: all.
        given, soft : optional
            Evidence, as for `query`.

        Examples
        --------
        >>> from bayesloom.facade import example
        >>> example("asia").most_probable(["lung", "bronc"], given={"dysp": "yes"}).states
        {'lung': 'no', 'bronc': 'yes'}
        """
        from bayesloom.inference import most_probable

        return most_probable(self.net, targets, given, soft=soft)

    def impute(
        self,
        data: object,
        method: ImputeMethod = "most_probable",
        *,
        seed: int = 0,
        **reading: Unpack[ReadingOptions],
    ) -> Imputation:
        """Fill in the missing cells of rows; see `bayesloom.impute`.

        Examples
        --------
        >>> from bayesloom.facade import network
        >>> net = network("rain -> wet").fit({"rain": ["no", "yes"], "wet": ["no", "yes"]})
        >>> net.impute({"rain": ["no", None], "wet": ["no", "yes"]}).table["rain"]
        ['no', 'yes']
        """
        from bayesloom.inference import impute

        return impute(self, data, method, seed=seed, **reading)

    def predict(
        self,
        rows: object,
        target: str,
        *,
        interval: float | None = None,
        unseen: UnseenPolicy = "error",
        **reading: Unpack[RowOptions],
    ) -> Any:  # noqa: ANN401 - states, numbers, or a frame of bounds
        """Return the most probable state of one variable for every row; of a number its mean.

        Parameters
        ----------
        rows : path, frame or Table
            The rows. Columns are matched by name; those that the network does not have are ignored,
            variables without a column and empty cells are not observed. Numbers fall into bins.
        target : str
            The variable to predict; it must not be among the columns.
        interval : float, optional
            Of a number: return a frame of the means with the bounds between which the number lies
            with this probability, such as 0.95.
        unseen : {"error", "ignore"}
            What to do with a state that its variable does not have: refuse it, or take the cell as
            not observed.
        **reading
            How to read a file or frame, such as ``drop=["class"]`` where the rows have the target;
            see `bayesloom.predict_proba`.

        Examples
        --------
        >>> from bayesloom.facade import example
        >>> example("asia").predict(
        ...     {"smoke": ["yes", "no"], "xray": ["yes", "no"]}, "lung"
        ... ).tolist()
        ['yes', 'no']
        """
        from bayesloom.inference import predict

        return predict(self, rows, target, interval=interval, unseen=unseen, **reading)

    def predict_proba(
        self,
        rows: object,
        target: str,
        *,
        unseen: UnseenPolicy = "error",
        **reading: Unpack[RowOptions],
    ) -> Predictions | Any:  # noqa: ANN401 - of a number NumberPredictions
        """Return the distribution of one variable for every row; see `predict`."""
        from bayesloom.inference import predict_proba

        return predict_proba(self, rows, target, unseen=unseen, **reading)

"""What can be asked of a network with parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from bayesloom.data import Reading, Table
from bayesloom.model import AnyNet, BayesNet, ConditionalTable, engine_for

if TYPE_CHECKING:
    from bayesloom.evaluation import Evaluation
    from bayesloom.inference import Given, JointPosterior, Posterior, Soft


class ModelSide:
    """The probabilities of a network: queries, samples, likelihoods, comparison."""

    __slots__ = ()
    reading: Reading

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

    def table(self, name: str) -> ConditionalTable:
        """Return the conditional probability table (CPT) of a variable; it prints with labels.

        Raises
        ------
        UnknownVariableError
            If the network has no such variable.

        Examples
        --------
        >>> from bayesloom.facade import network
        >>> from bayesloom.model import MaximumLikelihood
        >>> rows = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "no", "no", "yes"]}
        >>> network("rain -> wet").fit(rows, MaximumLikelihood()).table("wet")
        P(wet | rain)
          rain        no       yes
          no    1.000000         0
          yes   0.500000  0.500000
        """
        from bayesloom.model import conditional_table

        return conditional_table(self.net, name)

    @overload
    def query(
        self, target: str, given: Given | None = ..., *, soft: Soft | None = ...
    ) -> Posterior: ...

    @overload
    def query(
        self,
        target: list[str] | tuple[str, ...],
        given: Given | None = ...,
        *,
        soft: Soft | None = ...,
    ) -> JointPosterior: ...

    def query(
        self,
        target: str | list[str] | tuple[str, ...],
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> Posterior | JointPosterior:
        """Return the exact posterior of a variable, or the joint posterior of several.

        Parameters
        ----------
        target : str or list of str
            The variable asked for, or several for their joint posterior.
        given : mapping of str to str or number, optional
            Observed states by variable; a number falls into its bin.
        soft : mapping of str to mapping, optional
            Likelihoods by variable and state.

        Raises
        ------
        UnknownVariableError, UnknownStateError
            If the network has no such variable or state.
        EvidenceError
            If the evidence contradicts itself or has probability 0.

        Examples
        --------
        >>> from bayesloom.facade import learn
        >>> learned = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20})
        >>> round(learned.query("rain", given={"wet": "yes"})["yes"], 3)
        0.988
        """
        from bayesloom.inference import query

        return query(self.net, target, given, soft=soft)

    def log_likelihood(self, data: object) -> float:
        """Return the natural logarithm of the probability of all rows of data.

        Parameters
        ----------
        data : path, frame, Table or Engine
            The data; a file or frame is read as the network's own data were, with its states.

        Raises
        ------
        DataError, UnknownVariableError, UnknownStateError
            If the data lack a variable, or have a state, that the network does not know.
        """
        from bayesloom.model import log_likelihood

        return log_likelihood(self.net, engine_for(self.net, data, self.reading))

    def log_loss(self, data: object) -> float:
        """Return the mean negative log-likelihood of the rows of data, in nats."""
        from bayesloom.evaluation import log_loss

        return log_loss(self.net, engine_for(self.net, data, self.reading))

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

    def sample(self, n_rows: int, seed: int = 0) -> Table:
        """Draw rows from the network's distribution; the same seed gives the same rows.

        Parameters
        ----------
        n_rows : int
            How many rows.
        seed : int
            Seed of the random numbers.
        """
        from bayesloom.model import sample

        return sample(self.net, n_rows, seed)

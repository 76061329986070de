"""One question about a network, without compiling it first."""

from __future__ import annotations

from typing import overload

from bayesloom.inference.case import Given, Soft
from bayesloom.inference.compiled import DEFAULT_MEMORY, CompiledNet, Strategy
from bayesloom.inference.flat_net import flatten, quick_order
from bayesloom.inference.posterior import JointPosterior, Posterior
from bayesloom.model import AnyNet, as_bayes_net


@overload
def query(
    net: AnyNet,
    target: str,
    given: Given | None = ...,
    *,
    soft: Soft | None = ...,
    memory: float = ...,
) -> Posterior: ...


@overload
def query(
    net: AnyNet,
    target: list[str] | tuple[str, ...],
    given: Given | None = ...,
    *,
    soft: Soft | None = ...,
    memory: float = ...,
) -> JointPosterior: ...


def query(
    net: AnyNet,
    target: str | list[str] | tuple[str, ...],
    given: Given | None = None,
    *,
    soft: Soft | None = None,
    memory: float = DEFAULT_MEMORY,
) -> Posterior | JointPosterior:
    """Return the exact posterior of a variable, or the joint posterior of several.

    For many questions about one network make a `CompiledNet` with `compile_net` once.

    Parameters
    ----------
    net : network or path
        The network.
    target : str or list of str
        The variable asked for, or several for their joint posterior.
    given : mapping of str to str, or pairs, optional
        Observed states by variable.
    soft : mapping of str to mapping or sequence, optional
        Likelihoods by variable: for each state the probability of what was seen, up to a factor.
    memory : float, default 2 GiB
        The bytes that tables may take.

    Returns
    -------
    Posterior or JointPosterior
        The answer, with the probability of the evidence.

    Raises
    ------
    UnknownVariableError, UnknownStateError
        If the network has no such variable or state.
    EvidenceError
        If the evidence contradicts itself or has probability 0.
    CapacityError
        If the tables do not fit into the memory allowed.

    Examples
    --------
    >>> from bayesloom.facade import example
    >>> query(example("asia"), "smoke", {"lung": "yes"})
    P(smoke | lung=yes): yes 0.909091, no 0.0909091; probability of the evidence 0.055
    >>> query(example("asia"), ["smoke", "lung"]).probability({"smoke": "yes", "lung": "yes"})
    0.05
    """
    bayes = as_bayes_net(net)
    compiled = CompiledNet(bayes, flatten(bayes, quick_order(bayes)), memory, Strategy.APART)
    if isinstance(target, str):
        return compiled.posterior(target, given, soft=soft)
    return compiled.joint(target, given, soft=soft)

"""One question about a network, without compiling it first."""

from __future__ import annotations

from typing import Any

from bayesloom.inference.case import Given, Soft
from bayesloom.inference.compiled import DEFAULT_MEMORY, CompiledNet, Strategy, compile_net
from bayesloom.inference.flat_net import flatten, quick_order
from bayesloom.model import AnyNet, as_bayes_net


def query(
    net: AnyNet,
    target: str | list[str] | tuple[str, ...],
    given: Given | None = None,
    *,
    soft: Soft | None = None,
    memory: float = DEFAULT_MEMORY,
) -> Any:  # noqa: ANN401 - the kinds of answers have little in common
    """Return the exact posterior of a variable, or the joint posterior of several.

    For many questions about one network make a `CompiledNet` with `compile_net` once.

    Parameters
    ----------
    net : network or path
        The network.
    target : str or list of str
        The variable asked for, or several for their joint posterior.
    given : mapping of str to str, or pairs, optional
        Observed states and numbers by variable.
    soft : mapping of str to mapping or sequence, optional
        Likelihoods by variable: for each state the probability of what was seen, up to a factor.
    memory : float, default 2 GiB
        The bytes that tables may take.

    Returns
    -------
    Posterior or JointPosterior
        The answer, with the probability of the evidence; of a number a `NumberPosterior`, of
        several variables with numbers among them a `MixedPosterior`.

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
    if bayes.numbers:
        mixed = compile_net(bayes, memory=memory)
        if isinstance(target, str):
            return mixed.posterior(target, given, soft=soft)
        return mixed.joint(target, given, soft=soft)
    compiled = CompiledNet(bayes, flatten(bayes, quick_order(bayes)), memory, Strategy.APART)
    if isinstance(target, str):
        return compiled.posterior(target, given, soft=soft)
    return compiled.joint(target, given, soft=soft)

"""Entropy and Kullback-Leibler divergence of networks, exact, by inference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import ModelError, check_number, listed, shown
from bayesloom.evaluation.zero_mass import ruled_out
from bayesloom.graphs import bits
from bayesloom.inference import compile_net
from bayesloom.inference.compiled import DEFAULT_MEMORY
from bayesloom.model import AnyNet, BayesNet, as_bayes_net


def entropy(net: AnyNet, *, memory: float = DEFAULT_MEMORY) -> float:
    """Return the entropy of the joint distribution of all variables, in nats.

    Parameters
    ----------
    net : network or path
        The network.
    memory : float, default 2 GiB
        The bytes that the tables of inference may take.

    Raises
    ------
    CapacityError
        If the tables do not fit into the memory allowed.

    Examples
    --------
    >>> net = BayesNet.from_tables({"coin": (["heads", "tails"], [], [0.5, 0.5])})
    >>> entropy(net) == math.log(2)
    True
    """
    net = as_bayes_net(net)
    net.check_categories("the entropy")
    families = [_family(net, name) for name in net.names]
    joints = compile_net(net, memory=memory).joints(families)
    terms = (
        _expected_log(joint.probabilities, net.table(name))
        for joint, name in zip(joints, net.names, strict=True)
    )
    return -math.fsum(_flat(terms))


def kl_divergence(
    true: AnyNet, learned: AnyNet, *, floor: float = 0.0, memory: float = DEFAULT_MEMORY
) -> float:
    r"""Return the divergence of a learned network from the true one, in nats.

    It is the sum over all joint states x of p(x) log(p(x) / q(x)) with p the true and q the
    learned network, computed from the joint probabilities, under p, of each variable with its
    parents. Numbers add by how much normal distributions diverge in every configuration of the
    categories, in closed form. Variables are matched by name and states by label; states that only
    one network has
    are impossible in the other.

    Parameters
    ----------
    true, learned : network or path
        The networks p and q, over the same variables.
    floor : float, default 0
        With 0 the divergence is infinite if q rules out what p allows. Above 0 the probabilities
        in the tables of q are first raised to at least ``floor``, and the rows scaled to sum to 1
        again; the divergence is then finite.
    memory : float, default 2 GiB
        The bytes that the tables of inference may take.

    Returns
    -------
    float
        At least 0, and 0 for equal distributions.

    Raises
    ------
    ModelError
        If the networks have different variables, or if there is a floor and a variable has states
        of its own in both networks, as with different bins.
    OptionError
        If ``floor`` is not in [0, 1].
    CapacityError
        If the tables do not fit into the memory allowed.

    References
    ----------
    S. Kullback and R. A. Leibler, On information and sufficiency, 1951.

    Examples
    --------
    >>> p = BayesNet.from_tables({"coin": (["heads", "tails"], [], [0.5, 0.5])})
    >>> q = BayesNet.from_tables({"coin": (["tails", "heads"], [], [1.0, 0.0])})
    >>> kl_divergence(p, p), kl_divergence(p, q), kl_divergence(q, p) == math.log(2)
    (0.0, inf, True)
    >>> round(kl_divergence(p, q, floor=0.01), 4)
    1.6194
    """
    return measured(true, learned, floor=floor, memory=memory)[0]


def measured(
    true: AnyNet, learned: AnyNet, *, floor: float, memory: float
) -> tuple[float, tuple[str, ...]]:
    """Return the divergence, and in sentences what makes it infinite; see `kl_divergence`."""
    true, learned = as_bayes_net(true, "true"), as_bayes_net(learned, "learned")
    _check_variables(true, learned)
    check_number("floor", floor, least=0, most=1)
    if floor > 0 and not true.number_mask:
        _check_states(true, learned)
    if true.number_mask or learned.number_mask:
        from bayesloom.evaluation.number_divergence import mixed_divergence

        return mixed_divergence(
            true, learned, lambda p, q: measured(p, q, floor=floor, memory=memory), memory
        )
    ours = [_family(true, name) for name in true.names]
    theirs = [_family(learned, name) for name in true.names]
    joints = compile_net(true, memory=memory).joints(ours + theirs)
    terms, faults = [], []
    for k, name in enumerate(true.names):
        terms.append(_expected_log(joints[k].probabilities, true.table(name)))
        guessed = _raised(_matched_table(true, learned, name), floor)
        joint = joints[true.n + k]
        terms.append(-_expected_log(joint.probabilities, guessed))
        if np.isinf(terms[-1]).any():
            faults += ruled_out(joint, guessed, learned)
    if faults:
        return math.inf, tuple(faults)
    return max(0.0, math.fsum(_flat(terms))), ()


def _family(net: BayesNet, name: str) -> tuple[str, ...]:
    return (*net.parents(name), name)


def _expected_log(joint: Floats, table: Floats) -> Floats:
    """Return joint * log(table) per cell; 0 where the joint is 0."""
    with np.errstate(divide="ignore"):
        logs = np.log(table)
    return np.multiply(joint, logs, out=np.zeros_like(joint), where=joint > 0)


def _flat(terms: Iterable[Floats]) -> Iterator[float]:
    for part in terms:
        yield from part.ravel().tolist()


def _matched_table(true: BayesNet, learned: BayesNet, name: str) -> Floats:
    """Return the table of a variable in the learned network over the states of the true one."""
    table = learned.table(name)
    nodes = [*bits(learned.dag.parent_masks[learned.index(name)]), learned.index(name)]
    for axis, u in enumerate(nodes):
        wanted, known = true.states_of(learned.names[u]), learned.states[u]
        if wanted == known:
            continue
        place = {label: k for k, label in enumerate(known)}
        padding = [(0, int(k == axis)) for k in range(table.ndim)]
        padded = np.pad(table, padding)  # the states that the learned network lacks come last
        table = padded.take([place.get(label, len(known)) for label in wanted], axis=axis)
    return table


def _raised(table: Floats, floor: float) -> Floats:
    if floor == 0:
        return table
    high = np.maximum(table, floor)
    scaled: Floats = high / high.sum(axis=-1, keepdims=True)
    return scaled


def _check_variables(true: BayesNet, learned: BayesNet) -> None:
    missing = [name for name in true.names if name not in learned.names]
    extra = [name for name in learned.names if name not in true.names]
    if missing or extra:
        parts = [f"only the true network has {listed(missing)}"] if missing else []
        parts += [f"only the learned network has {listed(extra)}"] if extra else []
        msg = f"the networks must have the same variables: {' and '.join(parts)}"
        raise ModelError(msg)


def _check_states(true: BayesNet, learned: BayesNet) -> None:
    """Refuse what no floor can mend: states that are not those of the other network."""
    for name in true.names:
        ours, theirs = true.states_of(name), learned.states_of(name)
        lost = [state for state in ours if state not in theirs]
        new = [state for state in theirs if state not in ours]
        if lost and new:
            msg = (
                f"variable {shown(name)} has other states in the two networks: only the true one "
                f"has {listed(lost, 4)}, only the learned one {listed(new, 4)}; a floor has no "
                "meaning for them, compare the graphs alone or give both the same states"
            )
            raise ModelError(msg)

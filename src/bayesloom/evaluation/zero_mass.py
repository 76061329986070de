"""What one network rules out and another allows, in sentences."""

from __future__ import annotations

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import listed, shown
from bayesloom.inference import JointPosterior
from bayesloom.model import BayesNet

_MOST = 3  # labels of a variable


def ruled_out(joint: JointPosterior, table: Floats, learned: BayesNet) -> list[str]:
    """Say what the learned network gives the probability 0 though the true one does not.

    Parameters
    ----------
    joint : JointPosterior
        The joint probabilities, in the true network, of a variable and of its parents in the
        learned one; the variable comes last.
    table : array
        The table of the variable in the learned network, over the states of the true one.
    learned : BayesNet
        The learned network.

    Returns
    -------
    list of str
        At most one sentence about states that the variable lacks, and one about probabilities of
        0 among the others. States that a parent lacks are told with that parent.

    Examples
    --------
    >>> found = JointPosterior(("coin",), (("heads", "tails"),), np.array([0.5, 0.5]), 0.0)
    >>> net = BayesNet.from_tables({"coin": (["heads"], [], [1.0])})
    >>> print(*ruled_out(found, np.array([1.0, 0.0]), net))
    coin has no state tails in the learned network, and the true one gives it 0.5; learn with the \
states of the true network (states=..., --states-from NET)
    """
    name, mass = joint.variables[-1], joint.probabilities
    lacking = [
        [state not in learned.states_of(variable) for state in states]
        for variable, states in zip(joint.variables, joint.states, strict=True)
    ]
    said = []
    alone = mass.sum(axis=tuple(range(mass.ndim - 1)))
    lost = [k for k, lacks in enumerate(lacking[-1]) if lacks and alone[k] > 0]
    if lost:
        said.append(_states_sentence(joint, lost, float(alone[lost].sum()), learned))
    zeros = np.where(table == 0, mass, 0.0)
    for axis, lacks in enumerate(lacking):
        zeros[(slice(None),) * axis + (np.array(lacks, bool),)] = 0.0
    if zeros.any():
        place = np.unravel_index(int(zeros.argmax()), zeros.shape)
        labels = [states[k] for states, k in zip(joint.states, place, strict=True)]
        pairs = zip(joint.variables[:-1], labels, strict=False)
        given = [f"{shown(parent)}={shown(state)}" for parent, state in pairs]
        what = f"{shown(name)}={shown(labels[-1])}" + (f" | {listed(given)}" if given else "")
        n = int(np.count_nonzero(zeros))
        more = f" (and {n - 1:,} more zeros of {shown(name)})" if n > 1 else ""
        said.append(
            f"the learned network gives P({what}) = 0{more}, and the true one gives these states "
            f"{zeros.max():.3g} together; fit it with an estimator that leaves no zeros, such as "
            "BDeuMean, or set a floor"
        )
    return said


def _states_sentence(joint: JointPosterior, lost: list[int], mass: float, learned: BayesNet) -> str:
    """Say which states a variable lacks, and whether it has others instead."""
    name, states = joint.variables[-1], joint.states[-1]
    missing = listed((states[k] for k in lost), _MOST)
    new = [state for state in learned.states_of(name) if state not in states]
    if new:
        return (
            f"{shown(name)} has other states in the learned network ({listed(new, _MOST)}) than in "
            f"the true one ({missing}), other bins for instance; such networks can only be "
            "compared by their graphs"
        )
    return (
        f"{shown(name)} has no state {missing} in the learned network, and the true one gives "
        f"{'it' if len(lost) == 1 else 'them'} {mass:.3g}; learn with the states of the true "
        "network (states=..., --states-from NET)"
    )

"""Cut the columns of a table that are to be cut, those that need a target after all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Longs
from bayesloom.data.binning import Cut, cut, is_to_be_cut
from bayesloom.data.column import Column
from bayesloom.data.discretization import uses
from bayesloom.data.interval import interval_labels
from bayesloom.data.notes import note_on_cut_ids, note_on_cuts
from bayesloom.data.quantity import find_no_categories, is_numeric
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.errors import DataError, OptionError, shown


@dataclass(frozen=True, slots=True)
class FineReading(Reading):
    """Reads what is to be cut for a network with fine bins, and keeps which columns these are.

    Attributes
    ----------
    bins_of : dict
        The columns that were cut finely, and how many bins the network starts with.
    """

    bins_of: dict[str, int] = field(default_factory=dict, compare=False)

    @property
    def plans(self) -> bool:
        """Whether a plan is made of data before they are read: not while they are cut again."""
        return False


Crossed = Callable[[Column, Column], Longs]
"""Returns how many rows of each class of a target each value of a column has."""


def crossed(column: Column, target: Column) -> npt.NDArray[np.int64]:
    """Return how many rows of each class of a target each value of a column has."""
    codes, classes = column.codes().astype(np.int64), target.codes()
    there = (codes >= 0) & (classes >= 0)
    shape = len(column.values), len(target.values)
    cells = codes[there] * shape[1] + classes[there]
    return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)


def cut_columns(
    columns: Sequence[Column], reading: Reading, source: Source, crossed: Crossed = crossed
) -> tuple[list[Column], list[str]]:
    """Return the columns, cut where their rules say so, and notes on where that is.

    Raises
    ------
    DataError
        If a rule is about a column that cannot be cut, or the target is no category.
    OptionError
        If columns are to be cut for a network, and there is none.
    """
    if uses(reading.discretize, "network") and not isinstance(reading, FineReading):
        msg = (
            "discretize='network' (--discretize network) cuts for a network that is learned or "
            "fitted, and there is none here; use 'auto' (--discretize auto)"
        )
        raise OptionError(msg)
    rules = [reading.rule(column.name) for column in columns]
    tallies = [column.tally() for column in columns]
    for column, rule in zip(columns, rules, strict=True):
        if rule.named and rule.how != "none" and not is_numeric(column.tally()):
            raise not_numeric(column, "discretize cannot cut", source)
    chosen = [
        v for v, rule in enumerate(rules) if is_to_be_cut(tallies[v], rule) and not columns[v].kept
    ]
    is_target = [column.name == reading.target for column in columns]
    chosen = [v for v in chosen if not (is_target[v] and rules[v].how == "mdl")]
    found: dict[int, Cut] = {}
    done = list(columns)
    for v in sorted(chosen, key=lambda v: rules[v].how == "mdl"):
        classes = None
        if rules[v].how == "mdl":
            target = done[is_target.index(True)]
            _check_target(target, reading, source)
            classes = partial(crossed, columns[v], target)
        found[v] = cut(tallies[v], rules[v], source, classes)
        labels = interval_labels(found[v].points)
        done[v] = replace(
            columns[v].with_values(labels, found[v].bin_of), declared=rules[v].how == "cuts"
        )
    if isinstance(reading, FineReading):
        fine = [v for v in found if rules[v].how == "network"]
        reading.bins_of.update((columns[v].name, rules[v].bins) for v in fine)
    told = [v for v in sorted(found) if rules[v].how != "network"]
    points = {columns[v].name: found[v].points for v in told}
    by_rule_of_all = [tallies[v] for v in sorted(found) if not rules[v].named]
    return done, [*note_on_cuts(points), *note_on_cut_ids(by_rule_of_all)]


def not_numeric(column: Column, what: str, source: Source) -> DataError:
    """Say that an option names a column that holds no numbers, and what cannot be done with it."""
    name = shown(repr(column.name))
    if column.declared:
        why = "its states are declared"
    else:
        from bayesloom.data.label import number_label

        text = next((x for x in column.values if number_label(x) is None), "")
        why = f"it holds {shown(repr(text))}, which is no number" if text else "it is empty"
    msg = f"{source.title}: {what} the column {name}, as {why}; leave it out there"
    return DataError(msg)


def _check_target(target: Column, reading: Reading, source: Source) -> None:
    besides = find_no_categories([target.tally()], reading)
    if besides is not None:
        msg = (
            f"{source.title}: the target that mdl cuts for must be a category; {besides}, or give "
            f"it bins of its own with discretize={{{target.name!r}: 3, '*': 'mdl'}}"
        )
        raise DataError(msg)

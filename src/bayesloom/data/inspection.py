"""Look at data before they are read: the plan of a table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Unpack

from bayesloom.data.path import checked_path
from bayesloom.data.planned import make_plan
from bayesloom.data.reader import planned_file
from bayesloom.data.reading import Reading, ReadingOptions
from bayesloom.data.source import Source
from bayesloom.data.table import Table
from bayesloom.errors import OptionError

if TYPE_CHECKING:
    from bayesloom.data.plan import TablePlan


def inspect(
    data: Any,  # noqa: ANN401 - frames of whatever library
    **reading: Unpack[ReadingOptions],
) -> TablePlan:
    """Return the plan of data: what every column is, what is missing, what becomes of it.

    Parameters
    ----------
    data : path or frame
        A file, or a frame of any library.
    **reading
        How to read it, as `bayesloom.read`; what is written out goes before the plan.

    Raises
    ------
    FileFormatError, DataError
        If the data cannot be read at all.

    Examples
    --------
    >>> plan = inspect({"age": [39.5, 17.0, 50.25], "sex": ["f", "m", "f"]})
    >>> [(column.name, column.kind.value) for column in plan.columns], plan.problems
    ([('age', 'number'), ('sex', 'category')], ())
    >>> plan.call
    "bl.learn(data, numbers={'age': 'keep'})"
    """
    how = Reading.from_dict(reading, inspect)
    if isinstance(data, str | os.PathLike):
        from bayesloom.data.dataset import is_dataset

        title = checked_path(data)
        if is_dataset(title):
            msg = f"inspect looks at one file, and {title} stands for several; name one of them"
            raise OptionError(msg)
        load, text, head = planned_file(title, title, how)
        return make_plan(load, how, text=text, head=head)[0].plan
    if isinstance(data, Table):
        msg = (
            "inspect looks at data that have not been read, and a Table is; give its file or frame"
        )
        raise OptionError(msg)
    from bayesloom.data.frame import columns_of

    how.refuse_file_options(f"a {type(data).__name__}")
    source = Source("the frame")
    found = make_plan(lambda r: (columns_of(data, None, r, source), source), how, text=False)
    return found[0].plan

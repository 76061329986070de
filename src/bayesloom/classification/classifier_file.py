"""Classifiers in files: the network as our JSON, with a further member about the class.

``classifier`` holds ``target``, the class, and ``cuts``, for attributes that are numbers. A file of
a classifier is a file of its network: whatever reads networks passes the member over.
"""

from __future__ import annotations

import math
import os
from itertools import pairwise

from bayesloom.classification.classifier import Classifier
from bayesloom.data.path import check_place
from bayesloom.errors import BayesloomError, FileFormatError
from bayesloom.model import json_file
from bayesloom.model.draft import FileText
from bayesloom.model.files import read_network_text, write_text
from bayesloom.model.formats import JSON, format_of

_MEMBER = "classifier"


def save_classifier(classifier: Classifier, path: str | os.PathLike[str]) -> None:
    """Write a classifier as JSON, whole or not at all.

    Parameters
    ----------
    classifier : Classifier
        The classifier.
    path : str or path
        The file, ``.json`` or ``.json.gz``. A file that is there is replaced.

    Raises
    ------
    FileFormatError
        If the ending is another or the file cannot be written.
    """
    name = os.fspath(path)
    check_classifier_path(name)
    member = {"target": classifier.target, "cuts": {k: list(v) for k, v in classifier.cuts.items()}}
    write_text(json_file.write(classifier.net, {_MEMBER: member}), name)


def check_classifier_path(path: str | os.PathLike[str]) -> None:
    """Raise if a classifier cannot be saved under a name, before any work is done for it.

    Raises
    ------
    FileFormatError
        If the ending is not that of JSON or a file cannot be written there.
    """
    name = os.fspath(path)
    if not name.lower().endswith((".json", ".json.gz")):
        problem = "a classifier is written as .json or .json.gz, which keep its class and its cuts"
        raise FileFormatError(problem, name)
    check_place(path)


def load_classifier(path: str | os.PathLike[str]) -> Classifier:
    """Read a classifier.

    Parameters
    ----------
    path : str or path
        A file that `save_classifier` wrote.

    Raises
    ------
    FileFormatError
        If the file cannot be read or holds no classifier.

    Examples
    --------
    >>> import tempfile
    >>> from bayesloom.model import BayesNet
    >>> net = BayesNet.from_tables({"flu": (["no", "yes"], [], [0.9, 0.1])})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_classifier(Classifier(net, "flu"), f"{folder}/flu.json")
    ...     load_classifier(f"{folder}/flu.json")
    Classifier of flu (no, yes) from 0 attributes, 0 of them numbers
    """
    name = os.fspath(path)
    if format_of(name) is not JSON:
        problem = "a classifier is read from .json or .json.gz"
        raise FileFormatError(problem, name)
    text = read_network_text(name)
    net = json_file.read(text, name)
    content = json_file.parse(FileText(text, name), 0)
    member = content.get(_MEMBER) if isinstance(content, dict) else None
    if not isinstance(member, dict) or not isinstance(member.get("target"), str):
        problem = "the network in this file is no classifier; make one with classify fit"
        raise FileFormatError(problem, name)
    cuts = member.get("cuts", {})
    if not isinstance(cuts, dict) or not all(map(_are_cuts, cuts.values())):
        problem = '"cuts" of the classifier must map attributes to lists of rising numbers'
        raise FileFormatError(problem, name)
    try:
        return Classifier(net, member["target"], {k: tuple(map(float, v)) for k, v in cuts.items()})
    except FileFormatError:
        raise
    except BayesloomError as error:
        raise FileFormatError(str(error), name) from None


def _are_cuts(cuts: object) -> bool:
    if not isinstance(cuts, list):
        return False
    numbers = [x for x in cuts if type(x) in (int, float) and math.isfinite(x)]
    return len(numbers) == len(cuts) and all(a < b for a, b in pairwise(numbers))

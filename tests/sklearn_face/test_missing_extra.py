"""Without scikit-learn the rest works, and asking for its face says what to install."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "sklearn" else found(name)
import bayesloom as bl
from bayesloom.classification import cross_validate
print(cross_validate({"x": ["a", "b"] * 6, "y": ["n", "p"] * 6}, "y", folds=3).accuracy)
try:
    bl.sklearn
except bl.errors.MissingExtraError as error:
    print(error)
print("sklearn" in sys.modules)
"""


def test_without_scikit_learn_its_face_says_what_to_install_and_the_rest_works() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, check=True, text=True
    )
    accuracy, message, imported = done.stdout.splitlines()
    assert (accuracy, imported) == ("1.0", "False")
    assert message.endswith("install it with: pip install 'bayesloom[sklearn]'")

"""What all tests and doctests need: text is wrapped to one width, whatever the terminal."""

import os

os.environ["COLUMNS"] = "100"

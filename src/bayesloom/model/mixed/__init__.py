"""Exact inference in networks with numbers: numbers are integrated out first, then categories.

Numbers that hang together through numbers nobody has observed are a group. Given the states of the
categories around it, a group is jointly normal: its density at what was observed becomes one factor
over these categories (the strong elimination order of Lauritzen), and the categories are summed out
in logarithms. All of it is done for many rows at a time.
"""

__all__: list[str] = []

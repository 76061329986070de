"""The studio: the page of the report, alive, on a server for the one person who started it."""

"""The HTML report: one file that shows a network, its data and its search, and answers queries."""

from __future__ import annotations

from bayesloom.report.page.document import check_page_path, document
from bayesloom.report.page.subject import Subject

__all__ = ["Subject", "check_page_path", "document"]

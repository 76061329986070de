"""The HTML report: one file that shows a network, its data and its search, and answers queries."""

from __future__ import annotations

from bayesloom.report.page.document import as_json, check_page_path, content, document, page_of
from bayesloom.report.page.subject import Subject

__all__ = ["Subject", "as_json", "check_page_path", "content", "document", "page_of"]

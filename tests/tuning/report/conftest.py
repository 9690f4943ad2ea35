"""The report of one finished study, made once for all that is asked about it."""

import pytest

from tests.support.pages import Page
from tests.support.report_fixture import html_of


@pytest.fixture(scope="session")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of the finished study."""
    return html_of(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="session")
def page(html: str) -> Page:
    """The same, read."""
    return Page(html)

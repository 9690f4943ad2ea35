"""Pages of games, read."""

from tests.support.pages import Page
from tunesmith.tuning.report import game_page


def read(story: game_page.Story) -> Page:
    """Render a page and check that every element is closed."""
    page = Page(game_page.render(story))
    assert page.defects == []
    return page

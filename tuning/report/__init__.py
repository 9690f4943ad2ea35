"""What does a person see of a study? Reads its files, writes pages, tables and plots.

- `board`: Is the picture of a position safe to put into a page that people pass on?
- `charts`: How are numbers drawn so that one picture serves a phone, a screen and paper?
- `game_page`: How did a whole game go?
- `game_source`: Where does the game that is shown come from?
- `gauntlet_page`: A gauntlet as a page: ratings with intervals, all pairings, who is stronger than whom,
  circles, notes
- `glossary`: What do the words beside the figures mean?
- `html`: How is HTML written so that no text from a file can become markup?
- `numbers`: How is a number shown to a person: how many digits, which sign, and what if there is none?
- `parts`: What do all parts of the report have in common?
- `plots`: The charts of a report as pictures: SVG or PNG, drawn by matplotlib (an extra), with no network and
  no browser
- `reading`: What does a study folder say, however much of it is there?
- `server`: Who may ask a page that we serve?
- `study_page`: What did a study find?
- `table_page`: What does a fit to somebody's table look like on a page?
- `tables`: The tables of a report as CSV, for other programs
- `dashboard/`: What does a person see of a study while it runs?
- `play_page/`: How does a person play against the engine in a browser?
- `sections/`: What does each section of a study's page say?

To add a section, see `sections/`; a chart, `charts`; a table for other programs, `tables`."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.report.dashboard.app import make_dashboard
    from tunesmith.tuning.report.plots import write_plots
    from tunesmith.tuning.report.reading import read_study
    from tunesmith.tuning.report.study_page import write_report
    from tunesmith.tuning.report.tables import write_tables

__all__ = ["make_dashboard", "read_study", "write_plots", "write_report", "write_tables"]
__getattr__, __dir__ = offered(__name__, __file__)

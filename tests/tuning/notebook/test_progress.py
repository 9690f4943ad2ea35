"""Who hears of a run that was started from Python: a function, standard error, or nobody."""

from tunesmith.tuning.notebook.progress import resources_for
from tunesmith.tuning.play.resources import Log
from tunesmith.tuning.threads import cores


def test_a_function_is_called_with_what_is_played_and_pairs():
    heard = []
    resources = resources_for(1, lambda *told: heard.append(told))
    resources.listener.progress("match", 3, 8)
    resources.listener.note("a line")
    assert heard == [("match", 3, 8)] and resources.jobs == 1


def test_lines_go_to_standard_error_or_nowhere(capsys):
    resources_for(1, True).listener.note("a line")
    assert capsys.readouterr() == ("", "a line\n")
    assert type(resources_for(None, False).listener) is Log
    assert resources_for(None, False).jobs == cores()

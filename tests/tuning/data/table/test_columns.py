"""Rows one by one: how results are spelt and whose they are."""

from tests.support.tables import counts, read


def test_results_may_be_spelt_in_ways_that_are_listed(tmp_path):
    text = "a,result_white\n" + "".join(
        f"1,{r}\n" for r in ("1-0", "0-1", "1/2-1/2", "win", "Draw", "loss", "1/2", ".25")
    )
    assert read(tmp_path, text).rows.labels.tolist() == [1, 0, 0.5, 1, 0.5, 0, 0.5, 0.25]
    signed = read(tmp_path, "# results: signed\na,result_mover\n1,1\n1,0\n1,-1\n")
    assert signed.rows.labels.tolist() == [1, 0.5, 0]


def test_results_of_the_first_player_are_turned_where_the_second_moves(tmp_path):
    text = "a,mover,score,result_first\n1,w,30,1\n1,b,30,1\n1,second,-5,0\n1,?,0,1\n"
    table = read(tmp_path, text)
    assert table.rows.labels.tolist() == [1, 0, 1] and table.scores is not None
    assert table.scores.tolist() == [30, -30, 5]
    assert list(counts(table)) == [
        "mover is none of first, white, w, second, black, b (numbers could mean either)"
    ]
    assert read(tmp_path, text.replace("result_first", "result_mover")).rows.labels.tolist() == [1, 1, 0]

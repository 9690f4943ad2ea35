"""One conversation in two vocabularies."""

from tunesmith.tuning.external.limits import parse_go
from tunesmith.tuning.external.protocol import UCI, UGI


def test_positions_and_clocks_are_told_in_the_words_of_the_protocol():
    clock = parse_go("tc:8+0.08")
    assert UCI.go(clock, (8000, 7000), (80, 0)) == "go wtime 8000 btime 7000 winc 80 binc 0"
    assert UGI.go(clock, (8000, 7000), (80, 0)) == "go p1time 8000 p2time 7000 p1inc 80 p2inc 0"
    assert UGI.go(parse_go("time:0.05"), (0, 0), (0, 0)) == "go movetime 50"
    assert UGI.position("", ["a", "b"]) == "position startpos moves a b"
    assert UCI.position("FEN", []) == "position fen FEN"

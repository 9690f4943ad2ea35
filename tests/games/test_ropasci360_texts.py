"""Text forms and pictures of RoPaSci 360, and what they refuse."""

import random
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import ropasci360 as naive
from tests.support.ropasci360_help import legal_of, reachable, state_of
from tunesmith.games import ONGOING
from tunesmith.games.errors import InputError
from tunesmith.games.ropasci360 import GAME
from tunesmith.games.ropasci360.rules import AS_GIVEN, judge


@given(st.integers(0, 2**32))
def test_states_survive_their_text(seed: int) -> None:
    rng = random.Random(seed)
    state = state_of(naive.random_position(rng))
    assert GAME.text_to_state(GAME.state_to_text(state)) == state
    if GAME.outcome(state) == ONGOING:
        moves = legal_of(state)
        for move in rng.sample(moves, min(5, len(moves))):
            assert GAME.text_to_move(state, GAME.move_to_text(state, move)) == move
            waiting = GAME.apply_move(state, move)
            assert GAME.text_to_state(GAME.state_to_text(waiting)) == waiting


def test_reached_states_survive_their_text() -> None:
    for state in reachable(300, 5):
        assert GAME.text_to_state(GAME.state_to_text(state)) == state


def test_order_in_a_text_does_not_matter() -> None:
    one = '{"nturns": 3, "throws": [3, 2], "board": [[4,0,"rRR"], [-4,0,"s"]]}'
    other = '{"board":[[-4,0,"s"],[4,0,"RRr"]],"throws":[3,2],"nturns":3}'
    assert GAME.state_to_text(GAME.text_to_state(one)) == other


EMPTY = '"board":[],"throws":[0,0],"nturns":0'
HOSTILE = [
    "",
    "null",
    "[]",
    "3",
    '["board","throws","nturns"]',
    "{}",
    "{" + EMPTY,
    "{" + EMPTY + "} x",
    "{" + EMPTY + ',"over":false}',
    "{" + EMPTY + ',"nturns":0}',
    "{" + EMPTY + ',"pending":null}',
    '{"board":[],"throws":[0,0]}',
    '{"board":{},"throws":[0,0],"nturns":0}',
    '{"board":[],"throws":[0],"nturns":0}',
    '{"board":[],"throws":"00","nturns":0}',
    '{"board":[],"throws":[0,-1],"nturns":0}',
    '{"board":[],"throws":[0,10],"nturns":0}',
    '{"board":[],"throws":[0,true],"nturns":0}',
    '{"board":[],"throws":[0,0.0],"nturns":0}',
    '{"board":[],"throws":[0,NaN],"nturns":0}',
    '{"board":[],"throws":[0,0],"nturns":361}',
    '{"board":[],"throws":[0,0],"nturns":-1}',
    '{"board":[],"throws":[0,0],"nturns":"0"}',
    f'{{"board":[],"throws":[0,0],"nturns":{10**30}}}',
    f'{{"board":[],"throws":[0,0],"nturns":{"9" * 5000}}}',
    '{"board":[[0,0]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"R",1]],"throws":[1,1],"nturns":1}',
    '{"board":[{"r":0,"q":0,"t":"R"}],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,""]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,1]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,["R"]]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"X"]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"\u017f"]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"Rs"]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"RR"]],"throws":[1,1],"nturns":1}',
    '{"board":[[0,0,"rr"]],"throws":[2,1],"nturns":1}',
    '{"board":[[0,0,"R"],[0,0,"r"]],"throws":[1,1],"nturns":1}',
    '{"board":[[4,1,"R"]],"throws":[1,1],"nturns":1}',
    '{"board":[[-5,0,"R"]],"throws":[1,1],"nturns":1}',
    '{"board":[[0.5,0,"R"]],"throws":[1,1],"nturns":1}',
    '{"board":[[true,0,"R"]],"throws":[1,1],"nturns":1}',
    "[" * 100_000,
    '{"board":' * 10_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_wrong_states_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="ropasci360 state: expected .*, found ") as caught:
        GAME.text_to_state(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


@given(st.text('[]{},:"0149-RPSrps', max_size=8), st.integers(0, 70), st.integers(0, 70))
def test_a_spoilt_text_is_a_state_or_an_input_error(patch: str, first: int, last: int) -> None:
    text = '{"board":[[-4,1,"rr"],[0,0,"Pp"],[4,0,"S"]],"throws":[3,4],"nturns":9}'
    try:
        state = GAME.text_to_state(text[:first] + patch + text[last:])
    except InputError:
        return
    assert GAME.text_to_state(GAME.state_to_text(state)) == state


WRONG_ACTIONS = [
    "",
    "Tr",
    "TR:4,-2",
    "tr:4,-2",
    "Tx:4,-2",
    "Tr:4,-2 L",
    "Tr:4,+2",
    "Tr:4,-0",
    "Tr:04,0",
    "Tr:4,1",
    "Tr:9,9",
    "Tr:4",
    "L:0,0",
    "L:0,0>0,0",
    "L:0,0>0,2",
    "W:0,0>0,1",
    "W:0,0>3,0",
    "L:0,0>0,1>0,2",
    "L:\u0660,0>0,1",
    "L:0,0\n>0,1",
]


@pytest.mark.parametrize("text", WRONG_ACTIONS, ids=range(len(WRONG_ACTIONS)))
def test_wrong_actions_are_refused(text: str) -> None:
    state = GAME.text_to_state('{"board":[[0,0,"R"],[0,1,"R"]],"throws":[2,2],"nturns":2}')
    with pytest.raises(InputError, match="ropasci360 move: expected .*, found '") as caught:
        GAME.text_to_move(state, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["Tr:1,0", "L:1,0>0,0", "W:0,0>-2,0", "L:-1,0>-1,1"])
def test_illegal_actions_are_refused(text: str) -> None:
    state = GAME.text_to_state('{"board":[[-1,0,"r"],[0,0,"R"],[0,1,"R"]],"throws":[2,2],"nturns":2}')
    with pytest.raises(InputError, match=f"expected a legal one of Upper, found '{text}'"):
        GAME.text_to_move(state, text)
    with pytest.raises(InputError, match="expected a legal one of Upper"):
        GAME.text_to_state(GAME.state_to_text(state)[:-1] + f',"pending":"{text}"}}')


def test_drawings() -> None:
    state = GAME.text_to_state('{"board":[[-4,2,"R"],[0,0,"RRRrr"],[4,0,"Pp"]],"throws":[8,7],"nturns":20}')
    picture = ElementTree.fromstring(GAME.draw_svg(state))
    assert picture.get("viewBox") == "0 0 620 604"
    tags = Counter(element.tag.split("}")[-1] for element in picture.iter())
    assert tags["polygon"] == 61 and tags["script"] == 0
    assert tags["circle"] == 5 + 2 + 18  # discs, numbers on them, throws
    drawn = GAME.draw_text(state)
    assert "R3r2" in drawn and "Pp" in drawn and drawn.endswith("after turn 20: Upper to choose")
    assert "Lower (r p s), throws left: 2" in drawn
    waiting = GAME.apply_move(state, legal_of(state)[0])
    assert GAME.draw_text(waiting).endswith("Upper has chosen, Lower to choose")
    assert GAME.move_to_text(state, legal_of(state)[0]) not in GAME.draw_text(waiting)


def test_a_given_end_is_marked_only_where_the_end_test_fires() -> None:
    for state in reachable(200, 6):
        given_state = GAME.text_to_state(GAME.state_to_text(state))
        assert given_state[8] & AS_GIVEN == 0 and judge(given_state) == 0

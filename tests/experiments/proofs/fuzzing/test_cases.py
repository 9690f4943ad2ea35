"""Independent readers of inputs, and the names of the cases."""

import io
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tunesmith.experiments.proofs.fuzzing import cases


def test_each_case_has_a_name_of_its_own() -> None:
    assert Counter(case.name for case in cases.CASES).most_common(1)[0][1] == 1


def test_readers_see_what_stands_there_and_not_how() -> None:
    assert cases.text(b"a  b\r\nc\n") == cases.text(b"a b\nc") != cases.text(b"a b\nd")
    assert cases.as_json(b'\xef\xbb\xbf{"a":1}') == cases.as_json(b'{ "a": 1 }')
    assert cases.as_toml(b"a=1") == cases.as_toml(b"a = 1 # one")
    assert cases.as_python(b"a=1") == cases.as_python(b"a = 1  # one") != cases.as_python(b"a = 2")


def test_a_flipped_bit_in_a_page_with_a_checksum_is_no_table() -> None:
    stream = io.BytesIO()
    pq.write_table(pa.table({"a": [b"quiet words"]}), stream, write_page_checksum=True, compression="none")
    whole = stream.getvalue()
    assert cases.as_parquet(whole)[0] == ["a"]
    with pytest.raises(OSError, match="(?i)checksum|crc"):
        cases.as_parquet(whole.replace(b"quiet words", b"quiet sword", 1))

"""svmlight gives the same rows as CSV; dirt is counted."""

from tests.support.tables import GOOD, HEADER, SURE, counts, read, same

SVM = "# perspective: mover\n1 qid:a 1:1 2:2.5 # fen\n0 qid:b 1:-1 2:0.5\n0.5 qid:a 2:-3\n"


def test_svmlight_gives_the_same_as_csv(tmp_path):
    table = read(tmp_path, SVM, name="t.svm")
    assert table.features == ("f1", "f2") and table.format == "svmlight"
    assert table.rows.features.tolist() == [[1, 2.5], [-1, 0.5], [0, -3]]
    named = read(tmp_path, "# features: material mobility\n" + SVM, name="told.by.content")
    same(named, read(tmp_path, HEADER + GOOD))
    assert read(tmp_path, SVM.replace(" 1:", " 0:").replace(" 2:", " 1:")).features == ("f0", "f1")


def test_svmlight_dirt_is_counted(tmp_path):
    dirt = {"1 2:1 1:1": "indices do not ascend", "1 1:1 1:2": "indices do not ascend", "1 1:x": "a feature is not a finite number",
            "1 a:1": "a field is not index:value", "1 1": "a field is not index:value", "1 1:nan": "a feature is not a finite number",
            "1 99999999:1": "an index above 20,000", "7 1:1": "a result outside the scale"}  # fmt: skip
    table = read(tmp_path, SVM + "".join(f"{line}\n" for line in dirt) + "1 1:", SURE, "t.svm")
    found = counts(table)
    assert sum(count for count, _ in found.values()) == len(dirt) + 1
    assert set(found) == {*dirt.values(), "last line without a line end, so it may be cut"}
    assert table.account.kept == 3

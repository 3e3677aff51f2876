"""Files are untrusted: what is damaged is read or refused with a sentence, whatever the library."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import damage
from tests.fuzz.harness import attack, convert, flips, read_or_refuse, reader_of, shares, values
from tests.fuzz.sources import FILES, FOLDERS, library_of, read_sources

DOCUMENTS = [name for name in FILES if name.endswith(".json")]
NODES = "nodes-00000-of-00001"


@pytest.fixture
def source(require, name):
    if library_of(name) != "own":
        require(library_of(name))
    files = read_sources(library_of(name))[name]
    return files if name in FOLDERS else files[name]


def convert_folder(folder, name, files):
    path = folder / name
    path.mkdir(exist_ok=True)
    for file, data in files.items():
        (path / file).write_bytes(data)
    return read_or_refuse(reader_of(name), path)


@pytest.mark.parametrize("name", [*FILES, *FOLDERS])
def test_whole_files_are_read(source, tmp_path, name):
    model = (convert if name in FILES else convert_folder)(tmp_path, name, source)
    assert len(model.ensembles) == (1 if "labels" in name else 3)
    assert len(model.ensembles[0].trees) == (3 if name == "own" else 2)


@pytest.mark.parametrize("name", FILES)
@attack
@given(shares)
def test_a_file_that_is_cut_off_is_refused(source, tmp_path, name, share):
    data = source
    if name == "lightgbm.txt":  # what follows the trees is not needed
        data = data[: data.index(b"\nend of trees") + 12]
    assert convert(tmp_path, name, data[: int(share * len(data))]) is None


@pytest.mark.parametrize("name", FILES)
@attack
@given(flips)
def test_flipped_bits_are_read_or_refused(source, tmp_path, name, changes):
    convert(tmp_path, name, damage.flip(source, changes))


@pytest.mark.parametrize("name", [*DOCUMENTS, "lightgbm.txt"])
@attack
@given(st.integers(0, 10**6), st.sampled_from(damage.NUMBERS))
def test_numbers_that_are_replaced_are_read_or_refused(source, tmp_path, name, which, new):
    convert(tmp_path, name, damage.renumber(source, which, new))


@pytest.mark.parametrize("name", DOCUMENTS)
@attack
@given(values, st.data())
def test_parts_of_a_document_that_are_replaced_are_read_or_refused(
    source, tmp_path, name, value, data
):
    document = place = json.loads(source)
    depth = data.draw(st.integers(0, 7))
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if depth == 0 or not (isinstance(place[key], dict | list) and place[key]):
            break
        place, depth = place[key], depth - 1
    if data.draw(st.booleans()):
        place[key] = value
    else:
        del place[key]
    convert(tmp_path, name, json.dumps(document, separators=(",", ":")).encode())


NOTHING = [b"[" * 10**6, b'{"learner":' * 10**5, b'{"trees":' * 10**5, b"", b"\xff\xfe", b"null"]
NOTHING += [b"CBM1", b"CBM1" + bytes(20)]


@pytest.mark.parametrize("data", NOTHING)
@pytest.mark.parametrize(
    "name", ["own", "xgboost.json", "xgboost.ubj", "lightgbm.txt", "catboost-"]
)
def test_no_models_are_refused(tmp_path, name, data):
    assert convert(tmp_path, name, data) is None


@pytest.mark.parametrize("name", FOLDERS)
@attack
@given(shares)
def test_nodes_that_are_cut_off_are_refused(source, tmp_path, name, share):
    nodes = source[NODES]
    assert (
        convert_folder(tmp_path, name, source | {NODES: nodes[: int(share * len(nodes))]}) is None
    )


@pytest.mark.parametrize("name", FOLDERS)
@attack
@given(st.integers(0, 3), shares)
def test_messages_that_are_cut_off_are_read_or_refused(source, tmp_path, name, which, share):
    file = sorted(source)[which]
    changed = {file: source[file][: int(share * len(source[file]))]}
    convert_folder(tmp_path, name, source | changed)


def choose(files, which):
    """Return the name of one of the files that are not empty."""
    names = sorted(file for file in files if files[file])
    return names[which % len(names)]


@pytest.mark.parametrize("name", FOLDERS)
@attack
@given(st.integers(0, 4), flips)
def test_flipped_bits_of_folders_are_read_or_refused(source, tmp_path, name, which, changes):
    file = choose(source, which)
    convert_folder(tmp_path, name, source | {file: damage.flip(source[file], changes)})


@pytest.mark.parametrize("name", FOLDERS)
@attack
@given(st.integers(0, 4), st.floats(0.0, 1.0), st.integers(0, 20), st.binary(max_size=20))
def test_bytes_that_are_replaced_are_read_or_refused(
    source, tmp_path, name, which, share, n, other
):
    file = choose(source, which)
    data = source[file]
    place = int(share * len(data))
    changed = {file: data[:place] + other + data[place + n :]}
    convert_folder(tmp_path, name, source | changed)

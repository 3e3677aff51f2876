"""How much text a model may have, in own files and in those of others."""

import json

import numpy as np
import pytest

from horotree.importers.catboost.training import read_classes
from horotree.io.file_format import classes_to_json
from horotree.trees import Columns
from horotree.trees.tables.labels import (
    MAX_NOTE_TEXT,
    MAX_NOTES,
    check_class_texts,
    check_notes,
)


def test_classes_may_be_long_or_many():
    check_class_texts(["a" * 2**21, "b"])
    check_class_texts([f"{j:08}" for j in range(2**19)])
    check_class_texts([1, 2, 3])
    with pytest.raises(ValueError, match="3 classes may be texts of 1398101 characters, got 13981"):
        check_class_texts(["a" * 1_398_102, "b", 3])


def test_what_could_not_be_loaded_is_not_saved():
    classes = np.array(["a" * 1_400_000, "b", "c"])
    with pytest.raises(ValueError, match="train on shorter ones"):
        classes_to_json(classes)


@pytest.mark.parametrize("kind", ["String", "Integer"])
def test_a_long_class_of_catboost_takes_no_memory_for_the_others(kind):
    names = ["a" * 100_000, *map(str, range(5_000))]
    about = {"class_names": names, "class_label_type": kind, "class_to_label": [*range(5_001)]}
    with pytest.raises(ValueError, match="5001 classes may be texts of 838 characters"):
        read_classes({"class_params": json.dumps(about)}, 5_001)


def test_notes_are_some_sentences():
    check_notes(("a",) * MAX_NOTES)
    check_notes(("a" * MAX_NOTE_TEXT,))
    for notes in (("a",) * (MAX_NOTES + 1), ("a" * MAX_NOTE_TEXT, "a")):
        with pytest.raises(ValueError, match="notes may be 64 texts of 65536 characters together"):
            check_notes(notes)


@pytest.mark.parametrize("note", ["a\x1b[2J", "a\nb", "\ud800"])
def test_notes_have_no_control_characters(note):
    with pytest.raises(ValueError, match="notes must be sentences"):
        check_notes((note,))


def test_a_name_twice_is_found_among_many():
    names = (*map(str, range(100_000)), "99999")
    with pytest.raises(ValueError, match="got '99999' twice"):
        Columns(names, (None,) * len(names))

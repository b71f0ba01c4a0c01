"""Every peer, filled and asked as a benchmark does: the real library, in a process of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from eval.bench.peers import documents
from eval.bench.peers.documents import Document, PeerSpec
from eval.bench.peers.known import PEERS, Peer
from eval.bench.peers.process import System, run_once
from eval.bench.peers.protocol import Batch
from index.encoder import Encoder
from index.encoder.weights import find_model

TOPIC = "water"
DOCUMENTS = [
    Document("1", "tides", "Tides in Narrow Bays", "The moon lifts the sea twice a day.", TOPIC),
    Document("2", "snails", "A Census of Pond Snails", "Snails were counted in nine ponds.", TOPIC),
    Document("3", "snails", "A Census of Pond Snails", "Most snails were found under stones.", TOPIC),
    Document("4", "rivers", "Sand Carried by Slow Rivers", "Grain size falls with the current.", TOPIC),
    Document("5", "garden", "Snails in Gardens", "Garden snails were counted at night.", ""),
]
QUESTIONS = ("How many pond snails were counted?", "What does the moon do to the sea?")


@pytest.fixture(scope="module")
def handed_over(tmp_path_factory: pytest.TempPathFactory) -> PeerSpec:
    """The documents with their vectors, made as for a benchmark."""
    folder = tmp_path_factory.mktemp("documents")
    spec = PeerSpec(topic=TOPIC, weights=find_model(None).path, documents=folder, store=folder)
    documents.write_documents(folder, DOCUMENTS)
    run_once(documents.__name__, spec, folder)
    return spec


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.label)
def test_a_peer_finds_the_right_paper_of_the_topic_once_alone_and_by_several_threads(
    peer: Peer, handed_over: PeerSpec, tmp_path: Path
) -> None:
    if not peer.installed:
        pytest.skip(f"{peer.label} is not installed; pip install 'asktopic[bench]'")
    store = tmp_path / "store"
    store.mkdir()
    spec = handed_over.model_copy(update={"store": store})
    assert float(run_once(peer.module, spec, tmp_path, "fill").splitlines()[-1]) > 0
    with System(peer.module, spec, tmp_path, QUESTIONS[0]) as system:
        alone = system.ask(Batch(questions=QUESTIONS))
        at_once = system.ask(Batch(questions=QUESTIONS * 8, threads=4))
    assert [found.ids[0] for found in alone.found] == ["snails", "tides"]
    assert not any("garden" in found.ids for found in alone.found)
    assert all(len(set(found.ids)) == len(found.ids) for found in alone.found)
    assert [found.ids[0] for found in at_once.found] == ["snails", "tides"] * 8


def test_the_peers_vectors_are_those_of_the_same_weights_as_ours(
    handed_over: PeerSpec, encoder: Encoder
) -> None:
    vectors = documents.read_vectors(handed_over.documents)
    ours = np.array([encoder.encode_query(document.content) for document in DOCUMENTS])
    assert vectors.shape == ours.shape
    # Ours are int8: the same direction, but not to the last digit.
    assert ((vectors * ours).sum(axis=1) > 0.97).all()


def test_vectors_of_other_documents_are_not_taken_for_these(handed_over: PeerSpec, tmp_path: Path) -> None:
    assert documents.encoded(handed_over.documents) is not None
    for name in (documents.VECTORS, documents.ENCODED):
        (tmp_path / name).write_bytes((handed_over.documents / name).read_bytes())
    documents.write_documents(tmp_path, DOCUMENTS[1:])
    assert documents.encoded(tmp_path) is None


def test_a_distribution_that_is_missing_makes_its_peer_missing() -> None:
    assert Peer("here", "m", ("numpy",)).installed
    assert not Peer("gone", "m", ("numpy", "no-such-distribution")).installed

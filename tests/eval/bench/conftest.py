"""Twelve made-up papers about reinforcement learning and one that is about something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from index.records import Paper

_STUDIES = (
    ("Counting Visited Rooms Guides Exploration in Mazes", "exploration bonus", "maze robots"),
    ("Delayed Rewards Slow Temporal Difference Updates", "delayed reward", "elevator control"),
    ("Sharing Critics Among Many Cooperating Drones", "shared critic", "drone swarms"),
    ("Offline Policies From Hospital Ventilator Logs", "offline dataset", "ventilator settings"),
    ("Curricula of Growing Terrain for Walking Machines", "terrain curriculum", "four-legged walking"),
    ("Penalising Jerk Makes Learned Grasps Gentle", "jerk penalty", "fruit picking"),
    ("Planning With Learned Weather Models for Sailing", "weather model", "sailing boats"),
    ("Human Preferences Shape Agents That Cook", "preference query", "kitchen tasks"),
    ("Safe Setpoints for Greenhouse Heating by Constraints", "safety constraint", "greenhouse heating"),
    ("Compressing Replay Memories for Tiny Processors", "compressed replay", "tiny processors"),
    ("Options Discovered From Bottleneck Doorways", "bottleneck option", "office navigation"),
    ("Ensembles Temper Overestimated Action Values", "value ensemble", "card games"),
)


def _record(number: int, title: str, idea: str, task: str) -> dict[str, object]:
    return {
        "id": f"made-up-{number}",
        "title": title,
        "abstract": f"Agents for {task} often learn slowly or fail. "
        f"This study of reinforcement learning adds one {idea} to a plain actor-critic agent. "
        f"The {idea} raised the average return on {task} by {number + 11} percent over the plain agent. "
        f"Removing the {idea} brought back every failure seen before in {task}. "
        "The limits of the approach are discussed.",
        "authors": ["Ada Example", "Bo Sample"],
        "date": f"2024-01-{number + 1:02d}",
    }


@pytest.fixture(scope="session")
def paper_list(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list of conference papers as JSON Lines: twelve of the topic, then one of another."""
    file = tmp_path_factory.mktemp("papers") / "papers.jsonl"
    records = [_record(number, *study) for number, study in enumerate(_STUDIES)]
    other = {
        "id": "other",
        "title": "A Census of Pond Snails",
        "abstract": "Snails were counted in nine ponds.",
    }
    file.write_text("".join(json.dumps(record) + "\n" for record in (*records, other)), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def papers() -> list[Paper]:
    return [
        Paper.model_validate(_record(number, *study) | {"kind": "paper"})
        for number, study in enumerate(_STUDIES)
    ]

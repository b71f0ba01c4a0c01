"""An optional second opinion: a language model judges what a run answered, apart from its scores."""

from eval.judge.records import Agreement, Judgement, JudgeReport
from eval.judge.run import judge_run
from eval.judge.settings import JudgeSettings, JudgeUnavailable

__all__ = ["Agreement", "JudgeReport", "JudgeSettings", "JudgeUnavailable", "Judgement", "judge_run"]

"""Compares the agent's answer with the gold rows, and writes the reward: 1 where they are the same, else 0."""

import json
import os
from pathlib import Path

from rows import rows_equal

HERE = Path(__file__).parent
ANSWER = Path(os.environ.get("ANSWER_FILE", "/app/answer.json"))
LOGS = Path(os.environ.get("VERIFIER_LOGS", "/logs/verifier"))


def rows_of(answer):
    """Rows; of a list of values each is a row, and a single value is one."""
    if not isinstance(answer, list):
        return [[answer]]
    return answer if all(isinstance(row, list) for row in answer) else [[value] for value in answer]


def main():
    gold = json.loads((HERE / "gold.json").read_text("utf-8"))
    try:
        answer = rows_of(json.loads(ANSWER.read_text("utf-8")))
        why = ""
    except (OSError, ValueError) as error:
        answer, why = None, str(error)
    right = answer is not None and rows_equal(gold["rows"], answer, gold["order_groups"])
    LOGS.mkdir(parents=True, exist_ok=True)
    (LOGS / "reward.txt").write_text(f"{int(right)}\n", "utf-8")
    print("right" if right else why or f"{len(answer)} rows, other than the {len(gold['rows'])} of the gold")


if __name__ == "__main__":
    main()

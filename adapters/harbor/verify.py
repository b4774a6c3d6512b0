"""Judges the agent's answer and writes the reward: 1 if it is right, else 0.

With ROOKERY_HARNESS_KEY in the environment, the farm judges by the fair reading of its answer contract; it must be served
with --score. Without it, the answer must equal the gold rows by the strict reading.
"""

import json
import os
from pathlib import Path
from urllib.request import Request, urlopen

from rows import is_right, read_answer

HERE = Path(__file__).parent
ANSWER = Path(os.environ.get("ANSWER_FILE", "/app/answer.json"))
LOGS = Path(os.environ.get("VERIFIER_LOGS", "/logs/verifier"))
HARNESS_KEY = os.environ.get("ROOKERY_HARNESS_KEY")


def judge(address, text):
    """The farm's verdict. Sends the raw text, so that numbers keep their digits."""
    body = f'{{"answer": {text}}}'.encode("utf-8")
    headers = {"content-type": "application/json", "x-harness-key": HARNESS_KEY}
    with urlopen(Request(address, data=body, headers=headers, method="POST"), timeout=60) as response:
        return json.loads(response.read())["fair"]


def main():
    gold = json.loads((HERE / "gold.json").read_text("utf-8"))
    LOGS.mkdir(parents=True, exist_ok=True)
    try:
        text = ANSWER.read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        right, why = False, str(error)
    else:
        try:
            answer = read_answer(text)
        except ValueError:
            # Plain words are a text.
            answer, text = text, json.dumps(text)
        right = judge(gold["judgement"], text) if HARNESS_KEY else is_right(gold["rows"], answer, gold["order_groups"])
        why = f"not the {len(gold['rows'])} rows of the gold"
    (LOGS / "reward.txt").write_text(f"{int(right)}\n", "utf-8")
    print("right" if right else why)


if __name__ == "__main__":
    main()

"""Judges the agent's answer and writes the reward: 1 if it is right, else 0.

With ROOKERY_HARNESS_KEY in the environment, the farm judges by the fair reading of its answer contract; it must be served
with --score. Without it, the answer must equal the gold rows by the strict reading. What a run changed only the farm can
judge.
"""

import json
import os
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from rows import is_right, read_answer

HERE = Path(__file__).parent
ANSWER = Path(os.environ.get("ANSWER_FILE", "/app/answer.json"))
LOGS = Path(os.environ.get("VERIFIER_LOGS", "/logs/verifier"))
HARNESS_KEY = os.environ.get("ROOKERY_HARNESS_KEY")


def ask(address, body=None):
    headers = {"content-type": "application/json", "x-harness-key": HARNESS_KEY}
    with urlopen(Request(address, data=body and body.encode("utf-8"), headers=headers), timeout=60) as response:
        return json.loads(response.read())


def judge(address, text):
    """The farm's verdict. Sends the raw text, so that numbers keep their digits."""
    return ask(address, f'{{"answer": {text}}}')["fair"]


def judge_run(run, text):
    """The farm's verdict on what the run has changed and answered, and what is wrong."""
    if not HARNESS_KEY:
        raise SystemExit("ROOKERY_HARNESS_KEY is not set: only the farm, served with --score, can judge changes")
    try:
        ask(f"{run}/answer", f'{{"answer": {text}}}')
    except HTTPError as refusal:
        # The agent may have ended the run by itself.
        if refusal.code != 409:
            raise
    review = ask(f"{run}/review")["reviews"][0]
    return review["outcome"] == "pass", review["note"]


def main():
    gold = json.loads((HERE / "gold.json").read_text("utf-8"))
    LOGS.mkdir(parents=True, exist_ok=True)
    try:
        text = ANSWER.read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        text, why = None, str(error)
    else:
        try:
            answer = read_answer(text)
        except ValueError:
            # Plain words are a text.
            answer, text = text, json.dumps(text)
        why = f"not the {len(gold.get('rows', []))} rows of the gold"
    if "run" in gold:
        right, why = judge_run(gold["run"], text or "null")
    elif text is None or answer is None:
        right = False
    elif HARNESS_KEY:
        right = judge(gold["judgement"], text)
    else:
        right = is_right(gold["rows"], answer, gold["order_groups"])
    (LOGS / "reward.txt").write_text(f"{int(right)}\n", "utf-8")
    print("right" if right else why)


if __name__ == "__main__":
    main()

"""A training loop in the standard library: draws episodes, lets a policy that knows words only play them, and prints the
mean reward. Replace `play` by your model, and use `rewards` to train it. The server: rookery serve my-farm --score

    ROOKERY_URL=http://127.0.0.1:8080 ROOKERY_HARNESS_KEY=... python3 train.py 1000
"""
import json, os, re, sys, urllib.error, urllib.request
from concurrent.futures import ThreadPoolExecutor

def ask(path, body):
    headers = {"content-type": "application/json", "x-harness-key": os.environ["ROOKERY_HARNESS_KEY"]}
    request = urllib.request.Request(os.environ["ROOKERY_URL"] + path, json.dumps(body).encode(), headers)
    try:
        return json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as error:  # what is wrong with a call is for the policy to read
        return json.load(error)

def value(schema, question, numbers, names):
    if schema.get("type") in ("integer", "number"):
        return numbers.pop(0) if numbers else None
    mentioned = [each for each in schema.get("enum", []) if str(each).lower() in question.lower()]
    return mentioned[0] if mentioned else names.pop(0) if names else None

def play(run):
    question = run["task"]["question"]
    found = ask(run["base"] + "/call/search_tools", {"query": question, "limit": 1})["tools"]
    numbers = [json.loads(each) for each in re.findall(r"\b(?:0|[1-9]\d*)(?:\.\d+)?\b", question)]
    names = re.findall(r"(?<=\s)(?:[A-Z][\w'-]*)(?:\s[A-Z][\w'-]*)*", question)
    parameters = found[0]["parameters"]["properties"] if found else {}
    filled = {name: value(schema, question, numbers, names) for name, schema in parameters.items()}
    call = {"name": found[0]["name"] if found else "", "arguments": {k: v for k, v in filled.items() if v is not None}}
    answer = ask(run["base"] + "/call/call_tool", call)
    ask(run["base"] + "/answer", {"answer": [list(row.values()) for row in answer.get("data", [])]})

episodes, total, seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1000, [], 0
with ThreadPoolExecutor(32) as workers:
    while len(total) < episodes:
        select = {"formulation": "rest", "sample": min(100, episodes - len(total)), "seed": seed}
        batch = ask("/runs", {"select": select, "agent": "train", "via": "search", "record": "memory"})
        list(workers.map(play, batch["runs"]))  # one step of many episodes at once
        rewards = [each["reward"] for each in ask(batch["base"] + "/verify", {})["rewards"]]
        total, seed = total + rewards, seed + 1
print(f"{len(total)} episodes, mean reward {sum(total) / len(total):.3f}")

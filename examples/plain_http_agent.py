"""An agent in plain HTTP, standard library only: one task and an OpenAI-compatible model. In an exam it is given the
address of its run; without one it begins a run itself, and shows its score if it has the harness key.

    OPENAI_BASE_URL=... OPENAI_MODEL=... python3 plain_http_agent.py http://127.0.0.1:8080/runs/<id>
    ROOKERY_URL=http://127.0.0.1:8080 OPENAI_BASE_URL=... OPENAI_MODEL=... python3 plain_http_agent.py <sample_id>
"""
import json, os, sys, urllib.error, urllib.request

MODEL, given = os.environ["OPENAI_BASE_URL"], sys.argv[1]

def post(url, body, method="POST", more={}):
    headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ.get("OPENAI_API_KEY", ""), **more}
    request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, headers, method=method)
    try:
        return urllib.request.urlopen(request).read().decode()
    except urllib.error.HTTPError as error:  # what is wrong with a call is for the model to read
        return error.read().decode()

if "://" in given:
    base = given
else:
    farm = os.environ["ROOKERY_URL"]
    base = farm + json.loads(post(farm + "/runs", {"sample_id": given, "agent": "plain-http", "budget": {"calls": 50}}))["base"]
task = json.loads(post(base, None, "GET"))
listed = json.loads(post(base + "/tools?format=openai", None, "GET"))
start = ["Start table: " + table["handle"] for table in task["start_tables"]]
ask = "\n".join([task["question"], task.get("evidence", ""), *start, "Use the tools. When you know the answer:", listed["answer_format"]])
messages, answer, loops = [{"role": "user", "content": ask}], None, 0
while answer is None and loops < 50:
    loops += 1
    request = {"model": os.environ.get("OPENAI_MODEL", "gpt-4o"), "messages": messages, "tools": listed["tools"]}
    message = json.loads(post(MODEL + "/chat/completions", request))["choices"][0]["message"]
    messages.append(message)
    for call in message.get("tool_calls") or []:
        result = post(base + "/call/" + call["function"]["name"], json.loads(call["function"]["arguments"]))
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    if not message.get("tool_calls"):
        answer = message["content"]
print(post(base + "/answer", {"answer": answer, "loops": loops}))
if "ROOKERY_HARNESS_KEY" in os.environ:
    print(post(base + "/score", None, "GET", {"x-harness-key": os.environ["ROOKERY_HARNESS_KEY"]}))

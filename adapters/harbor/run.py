"""Begins a run of a task, and answers for it: every request goes to the address of the run.

Harbor starts one beside each agent, so each trial changes records in a world of its own. SAMPLE_ID is the task, FARM where
the farm is; with ROOKERY_HARNESS_KEY it may be served as an exam.
"""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen

FARM = os.environ["FARM"]
HARNESS_KEY = os.environ.get("ROOKERY_HARNESS_KEY")
TIMEOUT_SECONDS = 600
# These belong to one connection, and there are two.
NOT_PASSED_ON = {"connection", "content-length", "host", "keep-alive", "transfer-encoding"}


def begin():
    body = json.dumps({"sample_id": os.environ["SAMPLE_ID"], "agent": "harbor"}).encode("utf-8")
    headers = {"content-type": "application/json", **({"x-harness-key": HARNESS_KEY} if HARNESS_KEY else {})}
    with urlopen(Request(f"{FARM}/runs", data=body, headers=headers), timeout=TIMEOUT_SECONDS) as response:
        return json.load(response)["base"]


RUN = begin()


def passed_on(headers):
    return {name: value for name, value in headers.items() if name.lower() not in NOT_PASSED_ON}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pass_on(self):
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length) if length > 0 else None
        # Answers name addresses of the run in full.
        path = self.path if self.path.startswith(f"{RUN}/") else RUN + self.path
        request = Request(FARM + path, data=body, headers=passed_on(self.headers), method=self.command)
        try:
            answer = urlopen(request, timeout=TIMEOUT_SECONDS)
        except HTTPError as refusal:
            answer = refusal
        with answer:
            self.send_response(answer.status)
            for name, value in passed_on(answer.headers).items():
                self.send_header(name, value)
            self.send_header("connection", "close")
            self.end_headers()
            # Streams pass as they come.
            while piece := answer.read1(65536):
                self.wfile.write(piece)
        self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PATCH = do_DELETE = do_OPTIONS = pass_on


if __name__ == "__main__":
    ThreadingHTTPServer(("", int(os.environ.get("PORT", "8000"))), Handler).serve_forever()

"""Against a farm that is served at ROOKERY_URL with the harness key ROOKERY_HARNESS_KEY: tests/python-client.test.ts."""

import os
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import List

from rookery_client import AgentRun, Rookery, RookeryError

SAMPLE = "test/small/1/rest"
PEOPLE = "get_people_by_min_age_v1_test_small_people_by_min_age_get"


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.farm = Rookery(os.environ["ROOKERY_URL"], harness_key=os.environ["ROOKERY_HARNESS_KEY"])

    def test_lists_domains_and_finds_endpoints(self) -> None:
        self.assertEqual([domain["db"] for domain in self.farm.domains()], ["small"])
        self.assertIn("person", [table["name"] for table in self.farm.catalog("small")["tables"]])
        self.assertEqual(self.farm.find_endpoints("people by their least age", 1)[0]["name"], "people_by_min_age")
        with self.assertRaises(RookeryError) as raised:
            self.farm.catalog("smal")
        self.assertEqual((raised.exception.status, raised.exception.code), (404, "UNKNOWN_DOMAIN"))

    def test_selects_tasks(self) -> None:
        every = [task["sample_id"] for task in self.farm.tasks(all=True)]
        rest = list(self.farm.tasks(all=True, formulation=["rest"], db="small"))
        self.assertEqual({task["formulation"] for task in rest}, {"rest"})
        self.assertLess(len(rest), len(every))
        self.assertEqual(len(list(self.farm.tasks(all=True, sample=2, seed=7, start=1))), 2)
        self.assertEqual(list(self.farm.tasks(all=True, pairs=True)), [])
        self.assertEqual(self.farm.task(SAMPLE)["sample_id"], SAMPLE)

    def test_plays_a_run(self) -> None:
        run = self.farm.run(SAMPLE, agent="python", budget={"calls": 2})
        self.assertIn(PEOPLE, [tool["function"]["name"] for tool in run.tools("openai")["tools"]])
        self.assertEqual(run.task["sample_id"], SAMPLE)
        refused = run.call(PEOPLE, {})
        self.assertEqual((refused.ok, refused.status), (False, 400))
        found = run.call(PEOPLE, {"min_age": 40})
        self.assertEqual((found.ok, found.body["row_count"]), (True, 1))
        with self.assertRaises(RookeryError) as raised:
            run.call(PEOPLE, {"min_age": 40})
        self.assertEqual(raised.exception.code, "RUN_OVER")
        record = run.record()
        self.assertEqual([call["status"] for call in record["trajectory"]], [400, 200])
        self.assertEqual((record["agent"], record["status"]), ("python", "out_of_budget"))

    def test_plays_a_run_by_its_address(self) -> None:
        run = self.farm.run(SAMPLE)
        agent = AgentRun.at(run.address)
        self.assertEqual(agent.read()["question"], run.task["question"])
        self.assertEqual(agent.answer([["Ann", 40]], loops=1)["status"], "answered")
        self.assertEqual(run.record()["answer"]["answer"], [["Ann", 40]])
        with self.assertRaises(ValueError):
            AgentRun.at("http://127.0.0.1/")

    def test_changes_records(self) -> None:
        run = self.farm.run(SAMPLE, writes=True)
        path = "/v1/test/small/records/person"
        [person, *_] = run.request("GET", path).body["data"]
        changed = run.request("PATCH", f"{path}/{person['id']}", {"age": 99})
        self.assertTrue(changed.ok, changed.text)
        self.assertEqual(len(run.record()["diff"]), 1)
        self.assertEqual(self.farm.send("PATCH", f"{path}/{person['id']}", {"age": 99}).status, 403)

    def test_shows_the_fault_of_a_call(self) -> None:
        rules = [{"fault": "unavailable", "rate": 1, "retry_after_s": 4}]
        result = self.farm.run(SAMPLE, faults={"rules": rules}).call(PEOPLE, {"min_age": 40})
        self.assertEqual((result.status, result.retry_after, result.fault), (503, "4", "unavailable"))

    def test_makes_a_batch(self) -> None:
        batch = self.farm.batch({"formulation": "rest", "all": True}, agent="python")
        for run in batch.runs:
            run.answer([])
        self.assertEqual(len(batch.predictions().strip().split("\n")), len(batch.runs) + 1)
        with self.assertRaises(RookeryError) as raised:
            batch.verify()
        self.assertEqual(raised.exception.code, "SCORING_OFF")

    def test_repeats_what_an_overloaded_farm_refuses(self) -> None:
        statuses = [503, 503, 200]
        asked: List[str] = []

        class Busy(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(statuses[len(asked) - 1])
                self.send_header("retry-after", "0.01")
                self.end_headers()
                self.wfile.write(b'{"domains": []}')

            def log_message(self, *_: object) -> None:
                pass

        with HTTPServer(("127.0.0.1", 0), Busy) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            self.assertEqual(Rookery(f"http://127.0.0.1:{server.server_port}/").domains(), [])
            server.shutdown()
        self.assertEqual(asked, ["/", "/", "/"])


if __name__ == "__main__":
    unittest.main()

"""A farm's export for BFCL: `install()` adds its categories. ROOKERY_URL is the address of the running farm.

Each file of multi_turn_func_doc is a class here, whose methods the farm answers.
"""

import json
import keyword
import os
import sys
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

DATA = Path(__file__).resolve().parent
DOCS = DATA / "multi_turn_func_doc"
FARM = os.environ.get("ROOKERY_URL", "http://127.0.0.1:8080")


class Functions:
    """`changes` is the state that BFCL compares: what the calls have changed on the whole."""

    def _load_scenario(self, scenario, long_context=False):
        self._sample_id = scenario["sample_id"]
        self._run = None
        self.changes = []

    def _call(self, name, arguments):
        if self._run is None:
            self._run = _expect("/runs", {"sample_id": self._sample_id, "agent": "bfcl"})["base"]
        _, answer = _request(f"{self._run}/call/{name}", arguments)
        # Other calls only read.
        if name.startswith(("create_", "update_", "delete_")):
            self.changes = sorted(_expect(self._run).get("diff") or [], key=json.dumps)
        return answer


def _request(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(FARM + path, data, {"content-type": "application/json"}), timeout=60) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, json.load(error)
    except URLError as error:
        raise _unusable(error.reason)


def _expect(path, body=None):
    status, answer = _request(path, body)
    if status >= 400:
        raise _unusable(answer.get("detail"))
    return answer


def _unusable(reason):
    """BFCL takes an Exception for an answer, and the same one of gold and model for a match."""
    return SystemExit(f"rookery_farm: the farm at {FARM} cannot be used: {reason}")


def _real(name):
    """The farm's name of an argument that Python cannot have: `_2023_kWh`, `class_`."""
    if name[:1] == "_" and name[1:2].isdigit():
        return name[1:]
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def _method(doc):
    parameters = list(doc["parameters"]["properties"])

    def method(self, *values, **named):
        named.update(zip(parameters, values))
        return self._call(doc["name"], {_real(name): value for name, value in named.items()})

    return method


for _file in DOCS.glob("*.json"):
    _docs = [json.loads(line) for line in _file.read_text(encoding="utf-8").splitlines()]
    globals()[_file.stem] = type(_file.stem, (Functions,), {doc["name"]: _method(doc) for doc in _docs})


def install():
    """Adds the exported categories to BFCL. Call it before BFCL's runner is imported."""
    import bfcl_eval.utils
    from bfcl_eval.constants import category_mapping, eval_config, executable_backend_config

    for module in (eval_config, bfcl_eval.utils):
        module.PROMPT_PATH = DATA
        module.POSSIBLE_ANSWER_PATH = DATA / "possible_answer"
        module.MULTI_TURN_FUNC_DOC_PATH = DOCS
    classes = [file.stem for file in DOCS.glob("*.json")]
    sys.modules.setdefault("rookery_farm", sys.modules[__name__])
    executable_backend_config.CLASS_FILE_PATH_MAPPING.update({name: "rookery_farm" for name in classes})
    executable_backend_config.MULTI_TURN_FUNC_DOC_FILE_MAPPING.update({name: f"{name}.json" for name in classes})
    category_mapping.ALL_CATEGORIES += sorted(
        file.stem.removeprefix("BFCL_v4_") for file in DATA.glob("BFCL_v4_farm_*.json")
    )

import json

FIELDS = {"input", "choices", "target", "id", "metadata", "sandbox", "files", "setup"}


class Sample:
    def __init__(self, record):
        unread = record.keys() - FIELDS
        assert not unread, f"json_dataset does not read {unread}"
        assert isinstance(record["input"], str) and isinstance(record["target"], str)
        self.id, self.input, self.target = record["id"], record["input"], record["target"]
        self.metadata = record["metadata"]


class MemoryDataset:
    def __init__(self, samples):
        self.samples = samples

    def filter(self, predicate, name=None):
        return MemoryDataset([sample for sample in self.samples if predicate(sample)])


def json_dataset(json_file, sample_fields=None, auto_id=False, shuffle=False, seed=None, limit=None, encoding="utf-8"):
    with open(json_file, encoding=encoding) as file:
        return MemoryDataset([Sample(json.loads(line)) for line in file])

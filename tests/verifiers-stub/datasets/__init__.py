class Dataset:
    def __init__(self, rows):
        self.rows = rows

    @classmethod
    def from_list(cls, mapping):
        # As columns are: each row has the same fields.
        assert len({tuple(sorted(row)) for row in mapping}) <= 1
        return cls([dict(row) for row in mapping])

    def __iter__(self):
        return iter(self.rows)

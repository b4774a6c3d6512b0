class Task:
    def __init__(self, dataset=None, setup=None, solver=None, cleanup=None, scorer=None, *, config=None, message_limit=None):
        self.dataset, self.solver, self.scorer = dataset, solver, scorer
        self.config, self.message_limit = config, message_limit


def task(func):
    return func

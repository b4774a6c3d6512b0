class Rubric:
    def __init__(self, funcs=None, weights=None):
        self.funcs = funcs or []
        self.weights = weights or [1.0] * len(self.funcs)

    def score(self, **rollout):
        values = {func.__name__: float(func(**rollout)) for func in self.funcs}
        total = sum(value * weight for value, weight in zip(values.values(), self.weights))
        return total, values


class MultiTurnEnv:
    def __init__(self, max_turns=-1, *, dataset, rubric):
        self.max_turns = max_turns
        self.dataset = dataset
        self.rubric = rubric

    async def setup_state(self, state, **kwargs):
        return state

    async def is_completed(self, messages, state, **kwargs):
        return state["turn"] >= self.max_turns > 0

    async def rollout(self, model, row):
        prompt = [{"role": "user", "content": row["question"]}]
        info = row["info"]
        state = {"prompt": prompt, "answer": row["answer"], "task": row["task"], "info": info, "turn": 0}
        state = await self.setup_state(state)
        messages = list(prompt)
        while not await self.is_completed(messages, state):
            messages.append(await model(messages, info.get("oai_tools")))
            state["turn"] += 1
            if await self.is_completed(messages, state):
                break
            answers, state = await self.env_response(messages, state)
            messages += answers
        completion = messages[len(prompt) :]
        total, values = self.rubric.score(
            prompt=prompt, completion=completion, answer=row["answer"], state=state, task=row["task"], info=info
        )
        return total, values, messages

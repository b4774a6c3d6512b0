import { expect, test } from 'vitest';
import type { CompletionClient } from './attempt/model-session.ts';
import { type JudgedTask, judgeTask } from './judge-task.ts';
import { type ModelRequest, NO_USAGE } from './models/model.ts';

const TASK: JudgedTask = {
  sampleId: 's',
  question: 'How many?',
  tools: '{}',
  calls: ['right', null, 'right', 'wrong'],
};

/** A judge whose reply depends on the proposals shown, in order. */
function judge(reply: (proposals: readonly string[]) => string) {
  const asked: string[][] = [];
  const obtain: CompletionClient = async (request: ModelRequest) => {
    const text = 'messages' in request.prompt ? request.prompt.messages.at(-1) : undefined;
    const shown =
      text?.role === 'user' ? [...text.text.matchAll(/^[A-Z]: (.*)$/gm)].map(([, calls]) => calls ?? '') : [];
    asked.push(shown);
    return {
      completion: {
        parts: [{ kind: 'text', text: reply(shown) }],
        stop: 'stop',
        usage: NO_USAGE,
        model: null,
        fingerprint: null,
        warnings: [],
      },
      latencyMs: 1,
      waitedMs: 0,
      attempts: 1,
      cached: false,
      cost: 0,
      requestHash: '',
    };
  };
  return {
    asked,
    judge: (task = TASK) => judgeTask(task, { obtain, seed: 1, signal: new AbortController().signal }),
  };
}

const ranks = (of: readonly number[]) =>
  JSON.stringify({ why: 'so', ranks: Object.fromEntries(of.map((rank, i) => ['ABCDEFGH'[i], rank])) });

test('equal calls are shown once, in an order and its reverse, anonymously', async () => {
  const { asked, judge: run } = judge((shown) => ranks(shown.map(() => 1)));
  await run();
  expect(asked).toHaveLength(2);
  expect([...(asked[0] ?? [])].sort()).toEqual(['(no call)', 'right', 'wrong']);
  expect(asked[1]).toEqual([...(asked[0] ?? [])].reverse());
});

test('each model gets its mean rank, and a good judge shows no position bias', async () => {
  const order = ['right', 'wrong', '(no call)'];
  const { judge: run } = judge((shown) => ranks(shown.map((calls) => order.indexOf(calls) + 1)));
  const judged = await run();
  expect(judged?.ranks).toEqual([1, 3, 1, 2]);
});

test('a judge that prefers the first proposal shows position bias', async () => {
  const { judge: run } = judge((shown) => ranks(shown.map((_, i) => i + 1)));
  const judged = await run();
  expect(judged?.ranks).toEqual([2, 2, 2, 2]);
  expect(judged?.firstGains).toBe(-1);
});

test('a judge is not called if all proposals are equal', async () => {
  const { asked, judge: run } = judge(() => '');
  expect(await run({ ...TASK, calls: ['a', 'a'] })).toEqual({ ranks: [1, 1], firstGains: 0 });
  expect(asked).toEqual([]);
});

test.each(['I cannot say.', '{"ranks": {"A": 1}}', '{"ranks": {"A": 1, "B": "best", "C": 2}}'])(
  'a reply without a rank for each is no judgement: %s',
  async (text) => {
    const { judge: run } = judge(() => text);
    expect(await run()).toBeNull();
  },
);

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { printExactJson } from '../../contracts/exact-json.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { sample } from '../../contracts/sample.ts';
import { judgeAnswer } from '../../eval/answer/judge-answer.ts';
import { type Json, parseJson, plain } from '../../eval/json/lossless.ts';

/** An answer to a question on a bundled database, in reading 5 on an invented one, and the verdict of the readers. */
const calibrated = sample
  .pick({
    input: true,
    evidence: true,
    query: true,
    gold_columns: true,
    gold_answer: true,
    order_groups: true,
  })
  .extend({
    id: z.string(),
    /** In which of five rounds it was written. Two readers agree on the verdicts of 1 and 2; the others are one reader's. */
    reading: z.literal([1, 2, 3, 4, 5]),
    shape: z.string(),
    right: z.boolean(),
    tied_rows: sample.shape.tied_rows,
    other_answers: sample.shape.other_answers,
    output_after_executing_api: z.unknown(),
  });

const cases = readFileSync(new URL('./calibration.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const value = parseJson(line) as { readonly answer: Json };
    const gold = calibrated.parse(plain(value as Json));
    return { ...gold, answer: value.answer, verdict: judgeAnswer(gold, value.answer) };
  });
const right = cases.filter((each) => each.right);
const wrong = cases.filter((each) => !each.right);
const shown = (list: typeof cases) => list.map(({ id, shape }) => `${id}: ${shape}`);

test('there are as many answers as a verdict on the judge takes', () => {
  expect(right.length).toBeGreaterThan(1300);
  expect(wrong.length).toBeGreaterThan(850);
});

test('no wrong answer is accepted', () => {
  expect(shown(wrong.filter(({ verdict }) => verdict.fair))).toEqual([]);
});

test.each([
  { reading: 1, floor: 96 },
  { reading: 2, floor: 98 },
  { reading: 3, floor: 99 },
  { reading: 4, floor: 98 },
  { reading: 5, floor: 99 },
])('of the right answers of reading $reading at least $floor % are accepted', ({ reading, floor }) => {
  const all = right.filter((each) => each.reading === reading);
  const refused = all.filter(({ verdict }) => !verdict.fair);
  const share = (100 * (all.length - refused.length)) / all.length;
  expect(share, shown(refused).join('\n')).toBeGreaterThanOrEqual(floor);
});

test('what is strictly right is fair', () => {
  expect(shown(cases.filter(({ verdict }) => verdict.strict && !verdict.fair))).toEqual([]);
});

const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

/** The file that Harbor's tasks are exported with, on one answer after the other; a line each, the reward. */
const VERIFY_ALL = `
import json, pathlib, sys, tempfile
sys.dont_write_bytecode = True
adapters = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(adapters / "harbor"), str(adapters / "inspect" / "package")]
import verify
verify.print = lambda _: None
with tempfile.TemporaryDirectory() as folder:
    verify.HERE = verify.LOGS = pathlib.Path(folder)
    verify.ANSWER = verify.HERE / "answer.json"
    for line in sys.stdin:
        gold, answer = json.loads(line)
        (verify.HERE / "gold.json").write_text(gold, "utf-8")
        verify.ANSWER.write_text(answer, "utf-8")
        verify.main()
        print((verify.LOGS / "reward.txt").read_text("utf-8").strip())
`;

test.skipIf(PYTHON === undefined)('what Harbor runs says the same as our strict reading', () => {
  const traps = [
    ['[[9007199254740993]]', '[[9007199254740992.0]]'],
    ['[[9007199254740993]]', '[[9007199254740993.0]]'],
    ['[[9007199254740993]]', '[[9.007199254740993e15]]'],
    ['[[1420070400]]', '[[1420070401]]'],
    ['[[1420070400]]', '1420070400.0'],
    ['[[9223372036854775807]]', '[[9223372036854775808]]'],
    ['[[1e+20]]', '[[100000000000000000000]]'],
    ['[[0.1]]', '[[0.10000000000000001]]'],
    ['[[1]]', '[[true]]'],
    ['[["1"]]', '"1"'],
    ['[["a"],["b"]]', '["b",["a"]]'],
    ['[["a",1]]', '["a",1]'],
    ['[["a",1]]', '"[[\\"a\\",1]]"'],
    ['[]', '[]'],
    ['[]', 'null'],
    ['[[null]]', 'null'],
    ['[[1]]', '[[NaN]]'],
  ].map(([gold = '', answer = '']) => {
    const rows = plain(parseJson(gold)) as (typeof cases)[number]['gold_answer'];
    const columns = (rows[0] ?? ['x']).map(String);
    const judged = { ...cases[0], gold_answer: rows, gold_columns: columns, order_groups: null };
    return { ...(judged as (typeof cases)[number]), answer: textOr(answer), text: answer };
  });
  const all = [...cases.map((each) => ({ ...each, text: printExactJson(each.answer) })), ...traps];
  const input = all.map(({ gold_answer: rows, order_groups, text }) =>
    JSON.stringify([printExactJson({ rows, order_groups, judgement: '' }), text]),
  );
  const args = ['-c', VERIFY_ALL, join(packageRoot, 'adapters')];
  const rewards = execFileSync(PYTHON as string, args, { encoding: 'utf8', input: input.join('\n') });
  expect(rewards.trimEnd().split('\n')).toEqual(
    all.map((each) => (judgeAnswer(each, each.answer).strict ? '1' : '0')),
  );
  expect(traps.map((each) => judgeAnswer(each, each.answer).strict)).toContain(true);
});

function textOr(answer: string): Json {
  try {
    return parseJson(answer);
  } catch {
    return answer;
  }
}

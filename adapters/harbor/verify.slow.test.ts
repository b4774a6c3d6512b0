import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printExactJson } from '../../contracts/exact-json.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { judgeAnswer } from '../../eval/answer/judge-answer.ts';
import { type Json, parseJson, plain } from '../../eval/json/lossless.ts';
import { cases } from '../../tests/answers/calibration.ts';

const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

/** The file that Harbor's tasks are exported with, on one answer after the other; a line each, the reward. */
const VERIFY_ALL = `
import json, pathlib, sys, tempfile
sys.dont_write_bytecode = True
adapters = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(adapters / "harbor"), str(adapters)]
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

test.skipIf(PYTHON === undefined)('the verifier of exported tasks agrees with our strict reading', () => {
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

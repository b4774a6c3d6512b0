import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'lossless-json';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Sample } from '../../contracts/sample.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import type { Json, JsonObject } from '../../eval/json/lossless.ts';
import { file, lines, REST, writeTo } from '../testing/exported.ts';
import { type LanguageParsers, loadLanguageParsers } from './decode.ts';
import { importBfcl } from './export.ts';
import { exportLanguages, LANGUAGE_CATEGORIES, sourceOf, sourceReader } from './export-languages.ts';
import { findTasks, readQuestions } from './files.ts';
import { scoreBfclFiles } from './score.ts';

let parsers: LanguageParsers;
beforeAll(async () => {
  parsers = await loadLanguageParsers();
});

const universe: ToolUniverse = {
  toolsFor: () =>
    new Map([
      [
        'find',
        {
          required: ['name'],
          properties: {
            name: { type: 'string' },
            case: { type: 'integer' },
            class: { type: 'number' },
            open: { type: 'boolean' },
            kinds: { type: 'array', items: { type: 'string' } },
            sizes: { type: 'array', items: { type: 'integer' } },
          },
        },
      ],
    ]),
};
const asking = (args: JsonObject, n: number) =>
  ({
    ...REST[0],
    sample_id: `tiny/${n}`,
    output: [{ name: 'find', path: '/v1/x/y/find', arguments: args }],
  }) as unknown as Sample;

const ARGUMENTS: JsonObject[] = [
  { name: 'Zoë' },
  { name: 'A-1', case: -3 },
  { name: 'y', class: 2.5 },
  { name: 'x', class: 4, open: true },
  { name: 'x', open: false, kinds: ['a b', 'c'] },
  { name: 'x', kinds: [], sizes: [1, 20] },
];
/** BFCL's conversions split lists at commas, its decoders keep escapes, and `''` in its answers is for what is optional. */
const INEXPRESSIBLE: JsonObject[] = [{ name: 'x', kinds: ['a, b', 'c'] }, { name: 'say "no"' }, { name: '' }];

describe.each(['java', 'javascript'] as const)('%s', (language) => {
  const category = LANGUAGE_CATEGORIES[language];
  const samples = [...INEXPRESSIBLE, ...ARGUMENTS].map(asking);
  const files = exportLanguages(samples, universe, { evidence: false });
  const questions = lines(file(files, `BFCL_v4_${category}.json`));
  const folder = writeTo(
    files.filter(({ path }) => path.includes(category) || path === 'farm_samples.jsonl'),
  );
  const map = files.filter(({ path }) => path === 'farm_samples.jsonl').map(({ content }) => content);
  writeFileSync(join(folder, 'farm_samples.jsonl'), map.join(''));

  /** The results of a model that makes these calls. */
  const results = (write: (args: JsonObject) => Json) => {
    mkdirSync(join(folder, 'result'), { recursive: true });
    const at = join(folder, 'result', `BFCL_v4_${category}_result.json`);
    const text = ARGUMENTS.map((args, i) => JSON.stringify({ id: `${category}_${i}`, result: write(args) }));
    writeFileSync(at, text.join('\n'));
    return at;
  };
  const inText = (args: JsonObject) => {
    const given = Object.entries(args).map(
      ([name, value]) =>
        `${['case', 'class'].includes(name) ? `${name}_` : name}=${sourceOf(value, language)}`,
    );
    return `find(${given.join(', ')})`;
  };

  test('has the gold function, with types of the language, and leaves out what cannot be expressed', () => {
    expect(questions.map(({ id }) => id)).toEqual(ARGUMENTS.map((_, i) => `${category}_${i}`));
    const [
      {
        function: [fn],
      },
    ] = questions as unknown as [{ function: [{ parameters: { properties: JsonObject } }] }];
    expect(fn.parameters.properties).toMatchObject(
      language === 'java'
        ? {
            name: { type: 'String' },
            class_: { type: 'double' },
            kinds: { type: 'ArrayList', items: { type: 'String' } },
          }
        : {
            name: { type: 'String' },
            case_: { type: 'integer' },
            open: { type: 'Boolean' },
            sizes: { type: 'array' },
          },
    );
  });

  test('the gold calls, written in the language, pass the check of BFCL', () => {
    results(inText);
    const tasks = findTasks(folder, join(folder, 'possible_answer'), join(folder, 'result'));
    const score = () =>
      scoreBfclFiles(tasks, {
        parse: 'bfcl',
        dots: 'kept',
        parsers,
        partial: false,
        prices: null,
        onProgress() {},
      }).models[0]?.categories[0]?.official;
    expect(score()).toMatchObject({ correct: ARGUMENTS.length, total: ARGUMENTS.length });
    results(() => 'find(name="another")');
    expect(score()).toMatchObject({ correct: 0, total: ARGUMENTS.length });
  });

  test('results come back as the calls that they are', () => {
    const read = sourceReader(readQuestions(join(folder, `BFCL_v4_${category}.json`)), language, parsers);
    const calls = (at: string) =>
      importBfcl(at, join(folder, 'farm_samples.jsonl'), read).predictions.map(
        (prediction) => prediction.calls?.[0] as { arguments: JsonObject },
      );
    const expected = ARGUMENTS.map((args) => ({ name: 'find', arguments: args }));
    expect(JSON.parse(stringify(calls(results(inText))) ?? '')).toMatchObject(expected);
    // Function-calling models write the expressions as texts.
    const native = results(() => [{ find: JSON.stringify({ name: 'x', case_: '7', open: 'true' }) }]);
    expect(calls(native)[0]).toMatchObject({ name: 'find', arguments: { name: 'x', case: 7, open: true } });
    const [prose] = importBfcl(
      results(() => 'I cannot.'),
      join(folder, 'farm_samples.jsonl'),
      read,
    ).predictions;
    expect(prose).toMatchObject({ raw_output: 'I cannot.' });
  });
});

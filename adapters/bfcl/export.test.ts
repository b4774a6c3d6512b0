import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkBfcl } from '../../eval/bfcl/check.ts';
import { type BfclFunction, bfclType } from '../../eval/bfcl/convert.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import { type Json, type JsonObject, numberText } from '../../eval/json/lossless.ts';
import { TINY_SAMPLES, TINY_UNIVERSE } from '../../tests/support/tiny-farm.ts';
import { emitPredictions } from '../imports.ts';
import { file, lines, REST, writeTo } from '../testing/exported.ts';
import { exportBfcl, importBfcl, pythonSafe, pythonUnsafe } from './export.ts';

const truth = (answer: JsonObject | undefined) => (answer as { ground_truth: [JsonObject] }).ground_truth[0];

describe('BFCL', () => {
  const files = exportBfcl(TINY_SAMPLES, TINY_UNIVERSE, { size: null, seed: 1, evidence: false });
  const questions = lines(file(files, 'BFCL_v4_farm_multiple.json'));
  const answers = lines(file(files, 'possible_answer/BFCL_v4_farm_multiple.json'));
  const irrelevant = lines(file(files, 'BFCL_v4_farm_irrelevance.json'));

  test('questions and answers are on the same lines, with ids of category and number', () => {
    expect(questions).toHaveLength(REST.length);
    expect(answers.map(({ id }) => id)).toEqual(questions.map(({ id }) => id));
    expect(questions.map(({ id }) => id)).toEqual(REST.map((_, i) => `farm_multiple_${i}`));
    expect(questions[0]?.question).toEqual([[{ role: 'user', content: 'What lights are there?' }]]);
  });

  test('category names choose the right checker and are not skipped', () => {
    for (const { path } of files.filter(({ path }) => path.includes('BFCL_'))) {
      expect(path).not.toMatch(
        /exec|rest|sql|chatable|prereq|java|memory|web_search|multi_turn|format_sensitivity|parallel/,
      );
      expect(path).toMatch(/BFCL_v4_farm_(multiple|irrelevance)\.json$/);
    }
    expect(files.filter(({ path }) => path.startsWith('possible_answer/'))).toHaveLength(1);
  });

  test('function documents follow the published format', () => {
    for (const { function: functions } of [...questions, ...irrelevant]) {
      for (const fn of functions as unknown as BfclFunction[]) {
        expect(Object.keys(fn).sort()).toEqual(['description', 'name', 'parameters']);
        expect(fn.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(fn.parameters.type).toBe('dict');
        expect(fn.parameters.required.every((name) => Object.hasOwn(fn.parameters.properties, name))).toBe(
          true,
        );
        for (const property of Object.values(fn.parameters.properties)) {
          expect(bfclType(property.type, 'python')).not.toBeNull();
          expect(property.description).toBeTruthy();
          if (property.type === 'array')
            expect(bfclType(property.items?.type ?? '', 'python')).not.toBeNull();
        }
      }
    }
  });

  test("the gold call passes BFCL's checker", () => {
    for (const [i, sample] of REST.entries()) {
      const [[name, parameters] = ['', {}]] = Object.entries(truth(answers[i]));
      const verdict = checkBfcl({
        functions: questions[i]?.function as unknown as BfclFunction[],
        calls: sample.output.map((call) => ({
          name: call.name,
          arguments: call.arguments as JsonObject,
          label: null,
        })),
        answers: [{ name, parameters: parameters as Record<string, Json[]> }],
        category: 'multiple',
      });
      expect(verdict).toEqual({ valid: true });
    }
  });

  test('the gold function is among those of a question, but not of an irrelevance question', () => {
    const names = (q: JsonObject | undefined) =>
      (q as unknown as { function: BfclFunction[] }).function.map(({ name }) => name);
    for (const [i, sample] of REST.entries()) {
      expect(names(questions[i])).toContain(sample.output[0]?.name);
      expect(names(irrelevant[i])).not.toContain(sample.output[0]?.name);
    }
  });

  test('writes floats as floats', () => {
    const universe: ToolUniverse = {
      toolsFor: () =>
        new Map([
          [
            'f',
            {
              required: ['x', 'class'],
              properties: { x: { type: 'number' }, class: { type: 'array', items: { type: 'number' } } },
            },
          ],
        ]),
    };
    const sample = {
      ...REST[0],
      output: [{ name: 'f', path: '/v1/x/y/f', arguments: { x: 5, class: [1, 2.5] } }],
    } as (typeof REST)[number];
    const [answer] = lines(
      file(
        exportBfcl([sample], universe, { size: null, seed: 1, evidence: false }),
        'possible_answer/BFCL_v4_farm_multiple.json',
      ),
    );
    const { x, class_ } = (truth(answer) as unknown as { f: { x: number[]; class_: number[][] } }).f;
    expect(numberText(x[0] as number)).toBe('5.0');
    expect(class_[0]?.map(numberText)).toEqual(['1.0', '2.5']);
  });

  test('accepts other values that were proven, those of floats as floats', () => {
    const sample = { ...REST[1]!, accepted_values: { min_price: [40, 41] } };
    const [answer] = lines(
      file(
        exportBfcl([sample], TINY_UNIVERSE, { size: null, seed: 1, evidence: false }),
        'possible_answer/BFCL_v4_farm_multiple.json',
      ),
    );
    const { get_items_by_min_price: accepted } = truth(answer) as Record<string, { min_price: number[] }>;
    expect(accepted?.min_price.map(numberText)).toEqual(['40.1', '40.0', '41.0']);
  });

  test("imports BFCL's results as predictions", () => {
    const folder = writeTo(files);
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const results = [
      {
        id: 'farm_multiple_0',
        result: [{ get_items_by_kind: '{"kind":"light"}' }],
        input_token_count: 10,
        output_token_count: 5,
        latency: 0.5,
      },
      { id: 'farm_multiple_1', result: '[get_items_by_min_price(min_price=40.1)]', latency: 1 },
      { id: 'farm_multiple_2', result: 'Error during inference: rate limit' },
      { id: 'farm_irrelevance_0', result: [] },
      { id: 'simple_python_0', result: [] },
    ];
    const result = join(folder, 'BFCL_v4_farm_multiple_result.json');
    writeFileSync(result, results.map((r) => JSON.stringify(r)).join('\n'));
    const { predictions, unmatched } = importBfcl(result, join(folder, 'farm_samples.jsonl'));
    expect(predictions).toMatchObject([
      {
        sample_id: 'tiny/shop/0/rest',
        calls: [{ name: 'get_items_by_kind', arguments: { kind: 'light' } }],
        input_tokens: 10,
        latency_s: 0.5,
      },
      { sample_id: 'tiny/shop/1/rest', raw_output: '[get_items_by_min_price(min_price=40.1)]' },
      { sample_id: 'tiny/shop/2/rest', error: 'Error during inference: rate limit' },
      { sample_id: 'tiny/shop/0/rest', withheld: true, calls: [] },
    ]);
    expect(unmatched).toEqual(['simple_python_0']);
    expect(emitPredictions({ model: 'm' }, predictions).split('\n')[0]).toBe(
      '{"format":"rookery-predictions/1","model":"m"}',
    );
  });

  test.each(['{"id":"farm_multiple_0"}', '[]', '{', '{"id":"farm_multiple_0","result":[[{"f":"{}"}]]}'])(
    'rejects the result file %s',
    (text) => {
      const folder = writeTo(files);
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'r.json'), text);
      expect(() => importBfcl(join(folder, 'r.json'), join(folder, 'farm_samples.jsonl'))).toThrow(
        expect.objectContaining({ code: 'IMPORT_INVALID', file: expect.stringMatching(/:1$/) }),
      );
    },
  );
});

test.each(['from', 'class', 'kind', 'from_', '_', '2023_kWh'])(
  'the argument name %s survives Python',
  (name) => {
    if (name !== 'from_') expect(pythonUnsafe(pythonSafe(name))).toBe(name);
    const safe: Record<string, string> = { from: 'from_', class: 'class_', '2023_kWh': '_2023_kWh' };
    expect(pythonSafe(name)).toBe(safe[name] ?? name);
  },
);

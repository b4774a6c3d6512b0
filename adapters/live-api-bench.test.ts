import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OF_EVERY_QUESTION } from '../contracts/formulations.ts';
import type { Formulation } from '../contracts/sample.ts';
import { scratchFolder } from '../tests/support/split-fixture.ts';
import { TINY_SAMPLES } from '../tests/support/tiny-farm.ts';
import type { ExportedFile } from './exports.ts';
import { exportLiveApiBench, importLiveApiBench } from './live-api-bench.ts';
import { exportVakra, importVakra } from './vakra.ts';

const folder = scratchFolder();

const keysOf = () => [{ key_name: 'item_name', description: 'what it is called', dtype: 'string' as const }];
const samplesOf = (kind: Formulation) => TINY_SAMPLES.filter((sample) => sample.formulation === kind);

function written(files: readonly ExportedFile[], path: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, files.find((each) => each.path === path)?.content ?? '');
  return file;
}

const read = (files: readonly ExportedFile[], path: string) =>
  JSON.parse(files.find((each) => each.path === path)?.content ?? 'null');

describe.each(OF_EVERY_QUESTION)('%s', (kind) => {
  const samples = samplesOf(kind);
  const gold = samples.map(({ sample_id, output }) => ({ sample_id, calls: output }));

  test('imports exported Live API-Bench records as the gold calls', () => {
    const files = exportLiveApiBench(samples, { evidence: false, keysOf });
    const file = written(files, `output/${kind}/shop.json`);
    const { predictions, unmatched } = importLiveApiBench(file, TINY_SAMPLES, kind);
    expect(unmatched).toEqual([]);
    expect(JSON.parse(JSON.stringify(predictions))).toEqual(JSON.parse(JSON.stringify(gold)));
  });

  test('imports exported VAKRA ground truth as the gold calls', () => {
    const file = written(exportVakra(samples, { evidence: false }), 'output/shop.json');
    const { predictions, unmatched } = importVakra(file, TINY_SAMPLES, kind);
    expect(unmatched).toEqual([]);
    const calls = predictions.map((prediction) => ({
      sample_id: prediction.sample_id,
      calls: prediction.calls,
    }));
    const told = gold.map(({ sample_id, calls }) => ({
      sample_id,
      calls: calls.map(({ path: _path, ...call }) => call),
    }));
    expect(JSON.parse(JSON.stringify(calls))).toEqual(JSON.parse(JSON.stringify(told)));
  });
});

test('a Live API-Bench record starts with its start table, and its tools take `data`', () => {
  const [slot] = samplesOf('slot');
  const files = exportLiveApiBench(samplesOf('slot'), { evidence: false, keysOf });
  const [record] = read(files, 'output/slot/shop.json');
  expect(Object.keys(record)).toEqual([
    'query',
    'input',
    'dataset_name',
    'sample_id',
    'gold_answer',
    'output',
    'key_values_and_descriptions',
    'rookery_sample_id',
  ]);
  expect(record).toMatchObject({ sample_id: 0, dataset_name: 'shop', query: slot?.query });
  expect(record.output[0]).toMatchObject({
    name: 'initialize_active_data',
    arguments: { database_path: 'databases/shop.sqlite' },
  });
  expect(record.output[1].arguments).toHaveProperty('data');
  expect(record.output[1].arguments).not.toHaveProperty('data_source');
});

test('VAKRA gets a question, its ground truth and its universe', () => {
  const files = exportVakra(samplesOf('sel'), { evidence: false });
  expect(files.map(({ path }) => path)).toEqual(['input/shop.json', 'output/shop.json', 'mapping.yaml']);
  const [input] = read(files, 'input/shop.json');
  expect(input).toMatchObject({
    domain: 'shop',
    num_turns: 1,
    dialogue: { turns: [{ turn_id: 1, query: samplesOf('sel')[0]?.input }] },
  });
  expect(input.dialogue.turns[0]).not.toHaveProperty('answer');
  expect(read(files, 'mapping.yaml')[input.uuid]).toMatchObject({
    domain: 'shop',
    server_type: 'selection',
    init_args: { alias_to_table_dict: expect.any(Object), condition_sequence: expect.any(Array) },
  });
});

test('endpoints have no universe, and a parameter called data keeps its name', () => {
  const [first] = samplesOf('rest');
  const sample = { ...first, output: [{ ...first?.output[0], arguments: { data_source: 'x' } }] };
  const files = exportVakra([sample as (typeof TINY_SAMPLES)[number]], { evidence: false });
  expect(files.map(({ path }) => path)).toEqual(['input/shop.json', 'output/shop.json']);
  expect(read(files, 'output/shop.json')[0].output[0].sequence.tool_call[0].arguments).toEqual({
    data_source: 'x',
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Sample } from '../../contracts/sample.ts';
import { starterFarm } from '../../tests/support/farms.ts';
import { drawExamples } from './examples.ts';
import { PROMPTS_FOLDER } from './read-pack.ts';

test('the examples that ship are the proven samples of the split that `rookery init` writes', async () => {
  const file = join(await starterFarm(), 'eval/library.jsonl');
  const samples = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample);
  const lines = samples.map(({ sample_id, dataset_name, formulation, input, output }) =>
    JSON.stringify({ sample_id, dataset_name, formulation, input, output }),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(PROMPTS_FOLDER, 'examples.jsonl'));
});

describe('examples', () => {
  const at = { db: 'pets', count: 3, seed: 1 };

  test.each(['slot', 'sel'])('for a farm of one domain are three that ship: %s', (formulation) => {
    const drawn = drawExamples([], { ...at, formulation });
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(3);
    expect(drawn.every(({ output }) => output.length > 1)).toBe(true);
    expect(drawExamples([], { ...at, formulation })).toEqual(drawn);
  });

  test('are never of the domain itself', () => {
    const own = {
      sample_id: 'own',
      dataset_name: 'pets',
      formulation: 'slot',
      input: '',
      output: [],
      flags: [],
    };
    const drawn = drawExamples([own as unknown as Sample], { ...at, formulation: 'slot' });
    expect(drawn.map(({ id }) => id)).not.toContain('own');
    expect(drawExamples([], { ...at, db: 'library', formulation: 'slot' })).toEqual([]);
  });

  test('are of other domains alone where these have enough', () => {
    const others = ['a', 'b', 'c'].map((sample_id) => ({
      sample_id,
      dataset_name: 'shops',
      formulation: 'slot',
      input: sample_id,
      output: [],
      flags: [],
    })) as unknown as Sample[];
    const ids = (samples: Sample[]) =>
      drawExamples(samples, { ...at, formulation: 'slot' }).map(({ id }) => id);
    expect(ids(others).sort()).toEqual(['a', 'b', 'c']);
    const mixed = ids(others.slice(0, 2));
    expect(mixed).toHaveLength(3);
    expect(mixed.filter((id) => id.startsWith('split/library/'))).not.toEqual([]);
  });
});

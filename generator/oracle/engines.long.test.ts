import pMap from 'p-map';
import { afterAll, describe, expect, test } from 'vitest';
import { sameRow } from '../../contracts/answer-rows.ts';
import { QueryError } from '../../contracts/errors.ts';
import { hasPublished, publishedSplit, withPublished } from '../../tests/support/published-splits.ts';
import { readSplit } from '../read/read-split.ts';
import { type Engine, Oracle } from './oracle.ts';

const oracle = new Oracle({ referenceTime: '2024-03-05 06:07:08' });
afterAll(() => oracle.close());

describe.each([
  ['bird-dev', 0],
  ['spider-dev', 20],
] as const)('%s', (split, leastRequoted) => {
  test.skipIf(!hasPublished(split))(
    withPublished(
      split,
      'every engine that runs a gold query gives the same rows in the same order, and one always does',
    ),
    async () => {
      const { questions, domains } = await readSplit(publishedSplit(split));
      const files = new Map(domains.map(({ db, file }) => [db, file]));
      let requoted = 0;
      // By database, so that a file is read into memory once.
      const sorted = [...questions].sort((a, b) => (a.db_id < b.db_id ? -1 : a.db_id > b.db_id ? 1 : 0));
      // Some slow ones would make this the longest of all tests.
      const some = sorted.filter((_, i) => i % 5 === 0);
      await pMap(
        some,
        async ({ db_id, question_id, sql }) => {
          const run = async (engine: Engine) => {
            try {
              return (await oracle.run(files.get(db_id) ?? '', sql, { engine })).rows;
            } catch (error) {
              if (error instanceof QueryError) return null;
              throw error;
            }
          };
          const [native, wasm, other] = [await run('native'), await run('wasm'), await run('requoted')];
          expect(wasm, `${question_id} in wasm`).not.toBeNull();
          const gold = wasm ?? [];
          if (native === null) requoted++;
          for (const rows of [native ?? gold, other]) {
            expect(rows?.length, `${question_id}`).toBe(gold.length);
            expect(
              gold.every((row, i) => sameRow(row, rows?.[i] ?? [])),
              `${question_id}`,
            ).toBe(true);
          }
        },
        { concurrency: 2 },
      );
      expect(requoted).toBeGreaterThanOrEqual(leastRequoted);
    },
  );
});

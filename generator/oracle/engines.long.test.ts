import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sameRow } from '../../contracts/answer-rows.ts';
import { QueryError } from '../../contracts/errors.ts';
import { INSTALLED, installTools } from '../../tests/interop/install-tools.ts';
import { hasPublished, publishedSplit, withPublished } from '../../tests/support/published-splits.ts';
import { readSplit } from '../read/read-split.ts';
import { toCell } from './engines.ts';
import { Oracle } from './oracle.ts';

/** The part of sql.js that is used: an SQLite that reads `"text"` as a string where no column has that name. */
interface SqlJs {
  Database: new (
    bytes: Uint8Array,
  ) => {
    exec(sql: string, parameters: null, config: { useBigInt: true }): { values: unknown[][] }[];
    close(): void;
  };
}

const tools = await installTools(join(INSTALLED, 'sqlite'));
const oracle = new Oracle({ referenceTime: '2024-03-05 06:07:08' });
afterAll(() => oracle.close());

describe.each([
  ['bird-dev', 0],
  ['spider-dev', 20],
] as const)('%s', (split, least) => {
  test.skipIf(!hasPublished(split) || tools.missing !== null)(
    withPublished(split, tools.title('double-quoted strings give the rows of an SQLite that has them')),
    async () => {
      const { questions, domains } = await readSplit(publishedSplit(split));
      // Without its own functions, of which `log` is the natural logarithm.
      const options = { useOldExtensionFunctions: false };
      const sqlite = await (tools.load('sql.js') as (given: object) => Promise<SqlJs>)(options);
      let requoted = 0;
      for (const { db, file } of domains) {
        let reference: InstanceType<SqlJs['Database']> | undefined;
        for (const { question_id, sql } of questions.filter(({ db_id }) => db_id === db)) {
          if (!sql.includes('"') || (await isAcceptedAsGiven(file, sql))) continue;
          requoted++;
          reference ??= new sqlite.Database(readFileSync(file));
          const gold = (reference.exec(sql, null, { useBigInt: true })[0]?.values ?? []).map((row) =>
            row.map(toCell),
          );
          const { rows } = await oracle.run(file, sql);
          expect(rows.length, `${question_id}`).toBe(gold.length);
          expect(
            gold.every((row, i) => sameRow(row, rows[i] ?? [])),
            `${question_id}`,
          ).toBe(true);
        }
        reference?.close();
      }
      expect(requoted).toBeGreaterThanOrEqual(least);
    },
  );
});

async function isAcceptedAsGiven(file: string, sql: string): Promise<boolean> {
  try {
    await oracle.run(file, sql, { engine: 'native', prepareOnly: true });
    return true;
  } catch (error) {
    if (error instanceof QueryError) return false;
    throw error;
  }
}

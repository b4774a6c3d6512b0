import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contracts/package-root.ts';
import { sortRows } from '../../runner/leaderboard/columns.ts';
import { runRow } from '../../runner/leaderboard/run-row.ts';
import { leaderboardTables } from '../../runner/leaderboard/write-text.ts';
import { servedFarm } from '../support/served-farm.ts';

const served = servedFarm();

/** The leaderboard that README.md shows: its columns, and the cells of each row. */
function shown(): { head: string[]; rows: string[][] } {
  const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
  const [, block = ''] = /```text\nREST\n([^`]+)```/.exec(readme) ?? [];
  const cells = (line: string) => line.trim().split(/ {2,}/);
  const [head = '', _rule, ...rows] = block.trim().split('\n');
  return { head: cells(head), rows: rows.map(cells) };
}

test('README shows the leaderboard of the bundled farm that needs no key, and it takes less than a minute', async () => {
  const before = process.cpuUsage();
  const runs = [];
  for (const agent of ['random', 'lexical']) {
    const { out, header, report } = await served.run({ agent, formulation: 'rest' });
    runs.push(runRow(out, header, report));
  }
  const { user, system } = process.cpuUsage(before);
  // Of the processor, which does not depend on what else the machine does.
  expect((user + system) / 1e6).toBeLessThan(60);
  const [table] = leaderboardTables(sortRows(runs));
  const { head, rows } = shown();
  expect(head).toEqual(table?.head.map((name) => name.trim()).filter((name) => name !== ''));
  expect(rows.map(([name]) => name)).toEqual(['lexical', 'random']);
  const column = (name: string) => head.indexOf(name);
  for (const [i, row] of rows.entries()) {
    const real = table?.rows[i]?.map((cell) => cell.trim()) ?? [];
    expect(row[column('N')]).toBe(real[column('N')]);
    // Wording of descriptions moves a figure a little; outside of its interval it is another one.
    const [low = '', high = ''] = (row[column('95 %')] ?? '').split('–');
    const [completion, strict] = ['completion', 'strict'].map((name) =>
      Number.parseFloat(real[column(name)] ?? ''),
    );
    expect(completion).toBeGreaterThanOrEqual(Number(low));
    expect(completion).toBeLessThanOrEqual(Number(high));
    // Rows that an agent takes from an endpoint as they are have the form that the answer contract asks for.
    expect(strict).toBe(completion);
  }
});

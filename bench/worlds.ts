/**
 * How many lucky passes worlds find: SLOT calls with one slip each (a filter that others follow is overlooked; a bound
 * is taken in or left out), of which those that pass on the farm are replayed in worlds.
 *
 *   npx tsx bench/worlds.ts <farm> [worlds, 4 unless given]
 *
 * Some slips change nothing on any data (`> 5 AND > 7`), so no share can reach 100 %.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProgram } from '../cli/program.ts';
import { printExactJson } from '../contracts/exact-json.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { report as reportSchema } from '../eval/metrics/report.ts';
import { isLucky } from '../eval/score/worlds.ts';
import { withOtherBound, withoutOneFilter } from '../tests/support/wrong-calls.ts';

const [farm = '', worlds = '4'] = process.argv.slice(2);
const SLIPS = { 'overlooked filter': withoutOneFilter, 'other bound': withOtherBound };

const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-worlds-'));
try {
  const slots = readFarm(farm).samples.filter(({ formulation }) => formulation === 'slot');
  const kinds = new Map<string, string>();
  const predictions = slots.flatMap((sample) => {
    let epoch = 0;
    return Object.entries(SLIPS).flatMap(([kind, slip]) =>
      slip(sample).map((calls) => {
        kinds.set(`${sample.sample_id} ${++epoch}`, kind);
        return { sample_id: sample.sample_id, epoch, calls };
      }),
    );
  });
  const [given, out] = [join(folder, 'predictions.jsonl'), join(folder, 'report.json')];
  writeFileSync(given, predictions.map((each) => `${printExactJson(each)}\n`).join(''));
  const args = ['score', farm, given, '--all', '--resamples', '0', '--worlds', worlds, '--out', out];
  await (await createProgram(args)).parseAsync(args, { from: 'user' });
  const passes = reportSchema.parse(JSON.parse(readFileSync(out, 'utf8'))).worlds?.samples ?? [];
  console.table(
    Object.fromEntries(
      Object.keys(SLIPS).map((kind) => {
        const own = passes.filter(({ sample_id, epoch }) => kinds.get(`${sample_id} ${epoch}`) === kind);
        const judged = own.filter((each) => each.worlds > 0);
        const found = judged.filter(isLucky);
        const slips = [...kinds.values()].filter((each) => each === kind).length;
        return [
          kind,
          {
            slips,
            'pass on the farm': own.length,
            judged: judged.length,
            'found lucky': found.length,
            '%': Number(((100 * found.length) / Math.max(1, judged.length)).toFixed(1)),
          },
        ];
      }),
    ),
  );
  for (const { sample_id, epoch, worlds: kept, right } of passes) {
    if (kept > 0 && right === kept) console.log(`not found: ${sample_id}, slip ${epoch}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

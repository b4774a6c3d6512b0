import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coverage } from '../../../contracts/coverage.ts';
import type { Farm } from '../../../contracts/farm.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import type { ServedFarm } from '../../../contracts/served-farm.ts';
import { parseFarmFile } from './read-json.ts';

/** Which farm a folder holds. Its coverage is read when it is first asked for. Rejects with FARM_INVALID. */
export function describeFarm(folder: string, farm: Farm, hash: string): () => Promise<ServedFarm> {
  let read: Promise<ServedFarm['coverage']> | undefined;
  return async () => {
    read ??= readCoverage(join(folder, 'coverage.json'));
    const { name, split, generator_version, reference_time, world = null, domains } = farm;
    const samples: Partial<Record<Formulation, number>> = {};
    for (const domain of domains)
      for (const [kind, kept] of Object.entries(domain.samples) as [Formulation, number][])
        samples[kind] = (samples[kind] ?? 0) + kept;
    return {
      name,
      split: split.name,
      hash,
      generator_version,
      reference_time,
      world,
      samples,
      coverage: await read,
    };
  };
}

async function readCoverage(file: string): Promise<ServedFarm['coverage']> {
  if (!existsSync(file)) return null;
  const { questions, verdicts } = parseFarmFile(file, await readFile(file, 'utf8'), coverage);
  const constructs = new Map<string, { asked: Set<string>; kept: Partial<Record<Formulation, number>> }>();
  for (const { db, question_id, formulation, kept, constructs: used } of verdicts) {
    for (const name of used) {
      const known = constructs.get(name) ?? { asked: new Set(), kept: {} };
      constructs.set(name, known);
      known.asked.add(`${db}/${question_id}`);
      known.kept[formulation] = (known.kept[formulation] ?? 0) + (kept ? 1 : 0);
    }
  }
  return {
    questions,
    constructs: [...constructs]
      .map(([construct, { asked, kept }]) => ({ construct, questions: asked.size, kept }))
      .sort((a, b) => b.questions - a.questions || (a.construct < b.construct ? -1 : 1)),
  };
}

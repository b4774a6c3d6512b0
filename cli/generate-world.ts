import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { ROOKERY } from '../contracts/package-root.ts';
import { formulation } from '../contracts/sample.ts';
import { counted } from '../contracts/wording.ts';
import type { Distance, World } from '../contracts/world.ts';
import { generate } from '../generator/generate.ts';
import { privateFolder } from '../generator/read/open-database.ts';
import { makeWorld, type WorldSummary } from '../generator/worlds/make-world.ts';
import { isFarm } from '../generator/write/is-farm.ts';
import type { GenerateFarmOptions } from './generate-farm.ts';
import { createProgress } from './progress.ts';
import { interruptSignal } from './run.ts';
import { textTable } from './text-table.ts';

/**
 * Makes a world of a farm, or of a split by way of a farm that is not kept, with progress on the error stream and a
 * summary on the output.
 */
export async function generateWorld(
  source: string,
  seed: string,
  { timeout, ...options }: GenerateFarmOptions,
): Promise<void> {
  const progress = createProgress();
  const aside = privateFolder();
  try {
    const common = {
      ...options,
      timeoutMs: timeout * 1000,
      signal: interruptSignal(options.out),
      onProgress: ({
        stage,
        done,
        total,
        label,
      }: {
        stage: string;
        done: number;
        total: number;
        label: string;
      }) => progress.update(stage, done, total, label),
    };
    const farm = isFarm(source) ? source : join(aside, 'farm');
    if (resolve(farm) === resolve(options.out))
      throw new UserError(
        'OPTION_INVALID',
        '--out',
        'is the farm itself; give the world a folder of its own',
      );
    if (farm !== source) await generate(source, { ...common, out: farm });
    const summary = await makeWorld(farm, { ...common, seed });
    progress.stop();
    process.stdout.write(printWorld(summary, options.out));
  } finally {
    progress.stop();
    rmSync(aside, { recursive: true, force: true });
  }
}

function printWorld({ farm, world }: WorldSummary, out: string): string {
  const table = textTable(
    ['domain', ...formulation.options, 'empty here', 'undefined here', 'same answer'],
    farm.domains.map(({ db, samples }) => {
      const here = world.domains.find((domain) => domain.db === db);
      return [
        db,
        ...formulation.options.map((kind) => samples[kind]),
        here?.empty.length ?? 0,
        here?.undefined.length ?? 0,
        here?.same.length ?? 0,
      ];
    }),
  );
  return [
    table,
    '',
    ...told(world, 'empty', 'Empty in this world only'),
    ...told(world, 'undefined', 'Not kept, since the answer is open or fails in this world'),
    `Same answer as in the farm: ${percent(world.same_answer, world.samples)} of ${counted(world.samples, 'sample')}`,
    `Distance to the farm (Kolmogorov–Smirnov): literals ${ks(world.distances.literals)}, row counts ${ks(world.distances.row_counts)}, answer sizes ${ks(world.distances.answer_sizes)}`,
    `Commitment to the seed: ${world.commitment}`,
    `Serve it: ${ROOKERY} serve ${out}`,
    '',
  ].join('\n');
}

function told({ domains }: World, kind: 'empty' | 'undefined', title: string): string[] {
  const having = domains.filter((domain) => domain[kind].length > 0);
  if (having.length === 0) return [];
  return [`${title}: ${having.map((domain) => `${domain.db} ${domain[kind].join(', ')}`).join('; ')}`];
}

function ks({ ks: value, n }: Distance): string {
  return `${value.toFixed(3)} (${n})`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

import { UserError } from '../../contracts/errors.ts';
import { findAgent } from '../agents/find-agent.ts';
import { type RunConfig, runConfig } from '../files/run-config.ts';
import type { ExperimentFile, ModelEntry } from './experiment-file.ts';

/** One run of an experiment. */
export interface ExperimentRun {
  /** Ids of the blocks that ask for it: two may ask for the same. */
  readonly blocks: readonly string[];
  /** Short, for folders and progress; unique within the experiment. */
  readonly name: string;
  readonly config: RunConfig;
}

type Fields = { readonly [key: string]: unknown };

/**
 * All runs of an experiment, in its order, each once: models × blocks × agents × formulations × what is varied.
 * `over` is laid over everything. Without `allowCode`, blocks that need it are left out. Agents without a model run once, whatever the models.
 *
 * @throws EXPERIMENT_INVALID with the block and field at fault.
 */
export async function expandExperiment(
  file: string,
  experiment: ExperimentFile,
  over: Fields = {},
  { allowCode = false }: { readonly allowCode?: boolean } = {},
): Promise<ExperimentRun[]> {
  const runs = new Map<string, { blocks: string[]; name: string; config: RunConfig }>();
  for (const block of experiment.runs) {
    if (block.needs === 'code' && !allowCode) continue;
    for (const agent of block.agents) {
      const { needsModel } = await findAgent(agent);
      const models: readonly (ModelEntry | null)[] = needsModel ? experiment.models : [null];
      if (models.length === 0) {
        throw new UserError(
          'EXPERIMENT_INVALID',
          file,
          `runs ${block.id}: ${agent} asks a model; name one in models, or by --model`,
        );
      }
      for (const model of models) {
        for (const formulation of block.formulations) {
          for (const varied of combinations(block.vary ?? {})) {
            const layers = [
              experiment.set ?? {},
              block.set ?? {},
              modelFields(model),
              ...varied.map(toFields),
              over,
            ];
            const merged = layers.reduce<Fields>(merge, { agent, formulation });
            const config = check(file, block.id, merged);
            const key = JSON.stringify(config);
            const found = runs.get(key);
            if (found !== undefined) found.blocks.push(block.id);
            else runs.set(key, { blocks: [block.id], name: nameOf(block.id, config, varied), config });
          }
        }
      }
    }
  }
  return [...runs.values()];
}

type Setting = readonly [path: string, value: unknown];

/** Every combination of one value a path. */
function combinations(vary: Readonly<Record<string, readonly unknown[]>>): Setting[][] {
  return Object.entries(vary).reduce<Setting[][]>(
    (all, [path, values]) =>
      all.flatMap((before) => values.map((value): Setting[] => [...before, [path, value]])),
    [[]],
  );
}

function toFields([path, value]: Setting): Fields {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Fields;
}

function modelFields(entry: ModelEntry | null): Fields {
  if (entry === null) return { model: null };
  if (typeof entry === 'string') return { model: entry };
  const { model, base_url, transport, set = {} } = entry;
  return merge(set, {
    model,
    ...(base_url === undefined ? {} : { base_url }),
    ...(transport === undefined ? {} : { transport }),
  });
}

/** The second over the first, objects field by field. */
function merge(under: Fields, over: Fields): Fields {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const before = merged[key];
    merged[key] = isFields(before) && isFields(value) ? merge(before, value) : value;
  }
  return merged;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function check(file: string, block: string, fields: Fields): RunConfig {
  const read = runConfig.safeParse(fields);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UserError(
    'EXPERIMENT_INVALID',
    file,
    `runs ${block}: ${issue?.path.join('.')}: ${issue?.message}`,
  );
}

function nameOf(block: string, { model, agent, formulation }: RunConfig, varied: readonly Setting[]): string {
  const parts = [
    block,
    model ?? '',
    agent,
    formulation,
    ...varied.map(([path, value]) => `${path.split('.').at(-1)}-${shown(value)}`),
  ];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .replace(/[^A-Za-z0-9._%-]+/g, '-')
    .slice(0, 120);
}

function shown(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

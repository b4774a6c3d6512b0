import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { OptionError, UserError } from '../contracts/errors.ts';
import { OF_EVERY_QUESTION } from '../contracts/formulations.ts';
import { shareText } from '../contracts/hybrid.ts';
import { notFound } from '../contracts/not-found.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { formulation } from '../contracts/sample.ts';
import { faultIn } from '../contracts/wording.ts';
import { findAgent } from './agents/find-agent.ts';
import { type RunConfig, runConfig, runConfigFields } from './files/run-config.ts';
import { LAYOUTS } from './leaderboard/paper-tables.ts';

/** Partial run configuration, merged over others; validated after merging. */
const overrides = z.record(z.string(), z.unknown());

const modelEntry = z.union([
  z.string(),
  z.strictObject({
    model: z.string(),
    base_url: runConfigFields.base_url.optional(),
    transport: runConfigFields.transport.optional(),
    /** Overrides for this model's runs: `decoding: {temperature: 0.7}`. */
    set: overrides.optional(),
  }),
]);

/** A part of an experiment: every model × agent × formulation × combination of varied values. */
const block = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_.-]{1,40}$/, 'must be letters, digits, dots, dashes'),
  title: z.string().optional(),
  agents: z.array(z.string()).min(1),
  formulations: z
    .array(formulation)
    .min(1)
    .default([...OF_EVERY_QUESTION]),
  set: overrides.optional(),
  /** `code`: skipped unless running model-written programs is allowed; `model`: unless a model is named. */
  needs: z
    .union([z.enum(['code', 'model']), z.array(z.enum(['code', 'model']))])
    .transform((needs) => [needs].flat())
    .optional(),
  /** By field path, e.g. `list.tools`: the values to try. */
  vary: z.record(z.string(), z.array(z.unknown()).min(1)).optional(),
});

export const experimentFile = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_.-]{1,60}$/, 'must be letters, digits, dots, dashes'),
  description: z.string().optional(),
  /** A folder or URL; default: from the command line. */
  farm: z.string().optional(),
  /** Given a split in place of a farm: a farm is made of it, with these shares of its tables behind APIs. */
  hidden: z.array(shareText).optional(),
  models: z.array(modelEntry).default([]),
  /** The tables that are printed at the end, such as a paper's; without it, a leaderboard. */
  tables: z.enum(LAYOUTS).optional(),
  /** Defaults for all runs. */
  set: overrides.optional(),
  runs: z.array(block).min(1),
});
export type ExperimentFile = z.infer<typeof experimentFile>;
export type ModelEntry = z.infer<typeof modelEntry>;

const SUITES = join(packageRoot, 'runner', 'suites');

export function suiteNames(): string[] {
  return readdirSync(SUITES)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort();
}

/** Reads a bundled experiment. Throws OPTION_INVALID for an unknown name. */
export function readSuite(name: string): ExperimentFile {
  const known = suiteNames();
  if (!known.includes(name)) throw new OptionError('--suite', `must be one of ${known.join(', ')}`);
  return readExperiment(join(SUITES, `${name}.yaml`));
}

/** Reads an experiment file. Throws EXPERIMENT_INVALID with file and field. */
export function readExperiment(file: string): ExperimentFile {
  if (!existsSync(file))
    throw notFound('EXPERIMENT_INVALID', file, 'give the file of an experiment (docs/running.md)');
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new UserError('EXPERIMENT_INVALID', file, `is not YAML (${(cause as Error).message})`, { cause });
  }
  const read = experimentFile.safeParse(value);
  if (read.success) return read.data;
  throw new UserError('EXPERIMENT_INVALID', file, faultIn(read.error, 'the file'));
}

export interface ExperimentRun {
  /** Ids of the blocks that include it; there may be several. */
  readonly blocks: readonly string[];
  /** Short, for folder names and progress; unique within the experiment. */
  readonly name: string;
  readonly config: RunConfig;
}

type Fields = { readonly [key: string]: unknown };

/**
 * All distinct runs of an experiment, in order: models × blocks × agents × formulations × varied values.
 * `over` overrides everything. Without `allowCode`, blocks that need it are skipped. Agents without a model
 * run once, whatever the models.
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
    if (block.needs?.includes('code') && !allowCode) continue;
    if (block.needs?.includes('model') && experiment.models.length === 0) continue;
    for (const agent of block.agents) {
      const { needsModel } = await findAgent(agent);
      const models: readonly (ModelEntry | null)[] = needsModel ? experiment.models : [null];
      if (models.length === 0) {
        const farm = block.formulations.includes('hybrid')
          ? '; its hybrid tasks need a farm generated with --hidden 40'
          : '';
        throw new UserError(
          'EXPERIMENT_INVALID',
          file,
          `runs ${block.id}: ${agent} needs a model; name one in models, or with --model <provider>/<name>${farm}`,
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
  throw new UserError('EXPERIMENT_INVALID', file, `runs ${block}: ${faultIn(read.error, 'the block')}`);
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

import { z } from 'zod';
import { OF_EVERY_QUESTION } from '../../contracts/formulations/registry.ts';
import { formulation } from '../../contracts/sample.ts';
import { runConfigFields } from '../files/run-config.ts';
import { PAPERS } from '../table/paper-tables.ts';

/** Fields of a run's configuration, to be laid over others; checked when everything is together. */
const overrides = z.record(z.string(), z.unknown());

const modelEntry = z.union([
  z.string(),
  z.strictObject({
    model: z.string(),
    base_url: runConfigFields.base_url.optional(),
    transport: runConfigFields.transport.optional(),
    /** Laid over the runs of this model: `decoding: {temperature: 0.7}`. */
    set: overrides.optional(),
  }),
]);

/** A part of an experiment: every agent × formulation × value of what is varied, for every model. */
const block = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_.-]{1,40}$/, 'must be letters, digits, dots, dashes'),
  title: z.string().optional(),
  agents: z.array(z.string()).min(1),
  formulations: z
    .array(formulation)
    .min(1)
    .default([...OF_EVERY_QUESTION]),
  set: overrides.optional(),
  /** `code`: left out unless programs that models write may be run. */
  needs: z.literal('code').optional(),
  /** By path of a field, `list.tools`: the values that it takes one after another. */
  vary: z.record(z.string(), z.array(z.unknown()).min(1)).optional(),
});

/** `experiment.yaml` */
export const experimentFile = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_.-]{1,60}$/, 'must be letters, digits, dots, dashes'),
  description: z.string().optional(),
  /** A folder or an address; from the command line where it is not here. */
  farm: z.string().optional(),
  models: z.array(modelEntry).default([]),
  /** The paper in whose tables the runs are shown at the end; a leaderboard without it. */
  tables: z.enum(PAPERS).optional(),
  /** Laid under all runs. */
  set: overrides.optional(),
  runs: z.array(block).min(1),
});
export type ExperimentFile = z.infer<typeof experimentFile>;
export type ModelEntry = z.infer<typeof modelEntry>;

import { z } from 'zod';
import { row } from '../../contracts/catalog.ts';
import { worldMark } from '../../contracts/farm.ts';
import { outcome, rung } from '../../contracts/judgement.ts';
import { category, predictionHeader, seenCall } from '../../contracts/prediction.ts';
import { flag, formulation } from '../../contracts/sample.ts';
import { ENDINGS, ERROR_CLASSES } from '../../contracts/vocabulary.ts';
import { valueFault } from './failures.ts';
import { count, estimate, f1Score, mean, ratio, share, spread } from './figures.ts';
import { hybridFigures } from './hybrid.ts';
import { FIELDS, type FigureOf, isMetric, METRICS, type Metrics } from './metrics.ts';
import { queryFigures } from './query-tool.ts';
import { silentFaultFigures } from './silent-faults.ts';

export const REPORT_FORMAT = 'rookery-report/2';

/** Why a sample failed whose agent gave an answer, first hit in this order. */
export const errorClass = z.enum(ERROR_CLASSES);
export type ErrorClass = z.infer<typeof errorClass>;

/** How an attempt ended that has no answer, or only a part of one. */
export const ending = z.enum(ENDINGS);

export const ledger = z.object({
  pass: count,
  fail: count,
  unparseable: count,
  infra_error: count,
  not_run: count,
  total: count,
});
export type Ledger = z.infer<typeof ledger>;

/** The main figures of some part of the samples. */
export const group = z.object({
  key: z.string(),
  ledger,
  /** Fewer than ten samples: the figures mean little. */
  few: z.boolean(),
  completion: share,
  intent: f1Score,
  slot: f1Score,
});
export type Group = z.infer<typeof group>;

/** The kind of a gold answer: informative rows, or an answer that many wrong calls also give. */
export const goldKind = z.enum(['telling', 'empty', 'null', 'zero']);
export type GoldKind = z.infer<typeof goldKind>;

/** One sample's scores; null where a metric does not apply or the prediction lacks the data. */
export const sampleScore = z.object({
  sample_id: z.string(),
  db: z.string(),
  formulation,
  question_id: z.union([z.number().int(), z.string()]),
  difficulty: z.string().nullable(),
  constructs: z.array(z.string()),
  /** Rules of the audit by which the gold SQL is probably wrong. */
  findings: z.array(z.string()).default([]),
  flags: z.array(flag),
  gold_calls: count,
  gold_kind: goldKind,
  /** Which attempt at the sample, from 1. */
  epoch: z.number().int().positive(),
  /** The gold tool was withheld: only `relevance` applies. */
  withheld: z.boolean(),
  outcome,
  /** The rows are also in the form that the contract asks for; null where nothing was judged. */
  passes_strictly: z.boolean().nullable().default(null),
  error_class: errorClass.nullable(),
  rung: rung.nullable(),
  /** Whether the strict parser reads the calls too. */
  strict: z.boolean().nullable(),
  ...FIELDS,
});
export type SampleScore = z.infer<typeof sampleScore>;

/** One call of an attempt, as far as it is known. */
export const transcriptCall = seenCall.extend({
  /** null for an element of the agent's list that is not a call. */
  name: z.string().nullable(),
  /** The element itself where it is not a call. */
  arguments: z.unknown(),
  label: z.string().nullable(),
  /** What the call answered. */
  handle: z.string().nullable(),
  /** Why it was refused, when it was replayed. */
  error: z.string().nullable(),
});
export type TranscriptCall = z.infer<typeof transcriptCall>;

/** What people need to understand one sample's scores. Long results are truncated; the counts are complete. */
export const evidence = z.object({
  question: z.string(),
  evidence: z.string(),
  query: z.string(),
  gold_calls: z.array(z.unknown()),
  gold_rows: z.array(row),
  gold_row_count: count,
  ordered: z.boolean(),
  /** null when no calls could be read. */
  predicted_calls: z.array(z.unknown()).nullable(),
  predicted_rows: z.array(row).nullable(),
  predicted_row_count: count.nullable(),
  /** The calls in order, with what the run or, failing that, the replay saw of them; empty when none could be read. */
  transcript: z.array(transcriptCall),
  /** The model's output, truncated; null when the prediction has none. */
  raw_output: z.string().nullable(),
  sql: z.string().nullable(),
  /** Where the predicted rows come from. */
  source: z.enum(['answer', 'replay', 'gold_calls']).nullable(),
  /** An answer that cannot be read as rows, the output that could not be parsed, or the error of the run or replay. */
  note: z.string().nullable(),
});
export type Evidence = z.infer<typeof evidence>;

export const scoreOptions = z.object({
  parse: z.enum(['strict', 'lenient']),
  columns: z.enum(['exact', 'superset']),
  /** `answer`: an answer decides, calls are replayed where there is none. `calls`: calls are always replayed. */
  judge: z.enum(['answer', 'calls']),
  /** Completion as the paper's authors compare results. */
  legacy: z.boolean(),
  /** `needed`: calls equal to the gold are not replayed, for they are proven. */
  replay: z.enum(['needed', 'all']),
  /** Loops that an agent has. */
  budget: z.number().int().positive(),
  /** What figures are over; files of before know nothing of it. `default`: without samples that are `guessable`. */
  selection: z.enum(['default', 'all']).default('all'),
  /** Of the bootstrap. */
  seed: z.number().int(),
  resamples: count,
});
export type ScoreOptions = z.infer<typeof scoreOptions>;

/** Completion over either selection, whichever the other figures are over. */
export const selections = z.object({
  /** Chosen samples that are `guessable`: agents that do not think are sure to pass them. */
  guessable: count,
  default: share,
  /** null where there are such samples and none of them was run. */
  all: share.nullable(),
});
export type Selections = z.infer<typeof selections>;

/** Passes of some part, and how many of them were luck. */
export const luckGroup = z.object({ key: z.string(), passes: count, lucky: count });
export type LuckGroup = z.infer<typeof luckGroup>;

/** What became of passes in worlds. */
export const worldsReport = luckGroup.extend({
  /** How many there are. */
  worlds: count,
  /** Passes of samples that no world keeps. */
  not_judged: count,
  formulations: z.array(luckGroup),
  /** By SQL construct of the gold query. */
  constructs: z.array(luckGroup),
  /** Each pass, with the worlds that keep its sample, and in how many of them its calls give the gold rows. */
  samples: z.array(
    z.object({
      sample_id: z.string(),
      epoch: z.number().int().positive(),
      worlds: count,
      right: count,
    }),
  ),
});
export type WorldsReport = z.infer<typeof worldsReport>;

const EMPTY = { value: null, n: 0 };
/** Of a metric that is younger than a report, nothing is known. */
const SCHEMAS = {
  share: share.default({ ...EMPTY, count: 0, ci: null }),
  f1: f1Score.default({ precision: null, recall: null, f1: null, tp: 0, fp: 0, fn: 0, n: 0, ci: null }),
  mean: mean.default(EMPTY),
  spread: spread.default({ ...EMPTY, p50: null, p95: null }),
};

function schemasOf<M extends Metrics>(metrics: M): { [K in keyof M]: z.ZodType<FigureOf<M[K]>> } {
  const schemas = Object.entries(metrics).map(([name, each]) => [
    name,
    isMetric(each) ? SCHEMAS[each.kind] : z.object(schemasOf(each)),
  ]);
  return Object.fromEntries(schemas);
}

const figures = schemasOf(METRICS);

/** `report.json` */
export const report = z.object({
  format: z.literal(REPORT_FORMAT),
  farm: z.object({
    name: z.string(),
    split: z.string(),
    hash: z.string(),
    generator_version: z.string(),
    samples: count,
    /** Of a world: which one. */
    world: worldMark.nullable().default(null),
  }),
  run: predictionHeader,
  options: scoreOptions,
  ledger,
  selections: selections.nullable().default(null),
  metrics: z.object({
    ...figures,
    /** Absent in older reports. */
    completion_strict: share.optional(),
    slot: z.object({ ...schemasOf(METRICS.slot), pairs: count }),
    bfcl: z.object({ ...schemasOf(METRICS.bfcl), error_types: z.record(z.string(), count) }),
    /** null unless the run was of a category that these figures belong to. */
    category: z
      .object({
        name: category,
        /** Parts and turns of composed tasks that ask for an answer, and got the right one. */
        parts: share,
        /** Turns in which nothing can be called, and nothing was. */
        no_call: share,
        /** `relevance`: tasks in which anything was called. */
        some_call: share,
      })
      .nullable()
      .default(null),
    /** Over tasks of the `query` tool whose calls are known; null where there are none. */
    query: queryFigures.nullable().default(null),
    /** Over tasks of `hybrid`; null where there are none. */
    hybrid: hybridFigures.nullable().default(null),
    /** Over samples that met a silent fault; false alarms over those that could have and did not. */
    silent_faults: silentFaultFigures.nullable().default(null),
    /** Attempts that ended other than with an answer, of those that were judged. */
    ended_by: z.partialRecord(ending, share).default({}),
    react: figures.react,
    efficiency: z.object({
      ...schemasOf(METRICS.efficiency),
      total_cost: ratio,
      /** Over samples whose cost and calls are known; null without any call. */
      cost_per_1000_calls: ratio,
      /** The cost of all, passed or not, for each that passed; null without any pass. */
      cost_per_pass: ratio,
    }),
  }),
  /** Several attempts at each sample; null where there is one. */
  repeated: z
    .object({
      /** Attempts at each sample. */
      epochs: count,
      /** Samples that were attempted `epochs` times. */
      samples: count,
      /** Their attempts that broke, which are left out. */
      infra_errors: count.default(0),
      /** For k from 1: the chance that at least one of k attempts passes (pass@k), and that all do (pass^k). */
      at: z.array(z.object({ k: count, any: estimate, all: estimate })),
    })
    .nullable(),
  /** Over failing samples whose agent gave an answer and whose trajectory is known; `endings`: the others, by how they ended. */
  error_classes: z.object({
    n: count,
    counts: z.record(errorClass, count),
    endings: z.partialRecord(ending, count).default({}),
    without_trajectory: count,
  }),
  /** Why models fail, over failing samples whose trajectory is known; each list with the most frequent first. */
  failures: z.object({
    /** A tool of the gold, and what was called in its place; null: nothing. `offered`: whether it is a tool at all. */
    confusions: z.array(
      z.object({
        expected: z.string(),
        called: z.string().nullable(),
        offered: z.boolean(),
        count,
      }),
    ),
    /** By tool of the gold: how often it was due, not called, and called with wrong arguments. */
    tools: z.array(z.object({ tool: z.string(), due: count, missed: count, wrong_arguments: count })),
    /** By argument. */
    arguments: z.array(
      z.object({
        tool: z.string(),
        argument: z.string(),
        missing: count,
        unexpected: count,
        value: count,
      }),
    ),
    value_faults: z.record(valueFault, count),
  }),
  parsing: z.object({ n: count, rungs: z.record(z.string(), count), strict: share }),
  groups: z.object({
    formulation: z.array(group),
    domain: z.array(group),
    difficulty: z.array(group),
    construct: z.array(group),
    gold_calls: z.array(group),
    gold_kind: z.array(group),
    /** `clean`, `doubtful`, and each rule of the audit. */
    gold_sql: z.array(group).default([]),
  }),
  samples: z.array(sampleScore.extend({ shown: evidence })),
  /** null unless passes were judged in worlds. */
  worlds: worldsReport.nullable().default(null),
});
export type Report = z.infer<typeof report>;

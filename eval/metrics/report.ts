import { z } from 'zod';
import { row } from '../../contracts/catalog.ts';
import { LEVELS } from '../../contracts/difficulty.ts';
import { worldMark } from '../../contracts/farm.ts';
import { outcome, rung } from '../../contracts/judgement.ts';
import { category, predictionHeader, seenCall } from '../../contracts/prediction.ts';
import { recordDiff } from '../../contracts/records.ts';
import { renamedMark } from '../../contracts/renames.ts';
import { flag, formulation } from '../../contracts/sample.ts';
import { vectorSearch } from '../../contracts/service.ts';
import { ENDINGS, ERROR_CLASSES } from '../../contracts/vocabulary.ts';
import { diffFault } from '../answer/judge-diff.ts';
import { dialogueFigures } from './dialogues.ts';
import { valueFault } from './failures.ts';
import { count, estimate, f1Score, mean, ratio, share, spread } from './figures.ts';
import { hybridFigures } from './hybrid.ts';
import { FIELDS, type FigureOf, isMetric, METRICS, type Metrics } from './metrics.ts';
import { queryFigures } from './query-tool.ts';
import { silentFaultFigures } from './silent-faults.ts';

export const REPORT_FORMAT = 'rookery-report/2';

/** Why an answered sample failed; the first that applies, in this order. */
export const errorClass = z.enum(ERROR_CLASSES);
export type ErrorClass = z.infer<typeof errorClass>;

/** How an attempt ended without a complete answer. */
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

export const group = z.object({
  key: z.string(),
  ledger,
  /** Fewer than ten samples: the figures are not significant. */
  few: z.boolean(),
  completion: share,
  intent: f1Score,
  slot: f1Score,
});
export type Group = z.infer<typeof group>;

/** The kind of a gold answer: informative rows, or an answer that many wrong calls also give. */
export const goldKind = z.enum(['telling', 'empty', 'null', 'zero']);
export type GoldKind = z.infer<typeof goldKind>;

/** One sample's scores; null if a metric does not apply or the prediction lacks the data. */
export const sampleScore = z.object({
  sample_id: z.string(),
  db: z.string(),
  formulation,
  question_id: z.union([z.number().int(), z.string()]),
  /** As the split labels it. */
  difficulty: z.string().nullable(),
  /** By what the gold takes; null in older reports. */
  level: z.enum(LEVELS).nullable().default(null),
  /**
   * How the gold calls hang together (`callShape`), and the most parameters that one of their tools has; null in older
   * reports.
   */
  shape: z.object({ depth: count, width: count, parameters: count }).nullable().default(null),
  constructs: z.array(z.string()),
  /** Audit rules that consider the gold SQL probably wrong. */
  findings: z.array(z.string()).default([]),
  flags: z.array(flag),
  gold_calls: count,
  gold_kind: goldKind,
  /** The number of the attempt at the sample, from 1. */
  epoch: z.number().int().positive(),
  /** Whether the gold tool was withheld: only `relevance` applies. */
  withheld: z.boolean(),
  outcome,
  /** Whether the rows also have the form that the contract requires; null if nothing was judged. */
  passes_strictly: z.boolean().nullable().default(null),
  error_class: errorClass.nullable(),
  rung: rung.nullable(),
  /** Whether the strict parser also reads the calls. */
  strict: z.boolean().nullable(),
  ...FIELDS,
});
export type SampleScore = z.infer<typeof sampleScore>;

/** One call of an attempt, as far as it is known. */
export const transcriptCall = seenCall.extend({
  /** null for a list element that is not a call. */
  name: z.string().nullable(),
  /** For an element that is not a call, the element itself. */
  arguments: z.unknown(),
  label: z.string().nullable(),
  handle: z.string().nullable(),
  /** Why the replay of the call was refused. */
  error: z.string().nullable(),
});
export type TranscriptCall = z.infer<typeof transcriptCall>;

/** Evidence for one sample's scores, for display. Long results are truncated; the counts are complete. */
export const evidence = z.object({
  question: z.string(),
  evidence: z.string(),
  query: z.string(),
  gold_calls: z.array(z.unknown()),
  gold_rows: z.array(row),
  gold_row_count: count,
  ordered: z.boolean(),
  /** null if no calls could be read. */
  predicted_calls: z.array(z.unknown()).nullable(),
  predicted_rows: z.array(row).nullable(),
  predicted_row_count: count.nullable(),
  /** The calls in order, with observations of the run or else of the replay; empty if none could be read. */
  transcript: z.array(transcriptCall),
  /** The model's output, truncated; null if the prediction has none. */
  raw_output: z.string().nullable(),
  sql: z.string().nullable(),
  source: z.enum(['answer', 'replay', 'gold_calls']).nullable(),
  /** An answer that cannot be read as rows, output that cannot be parsed, or the error of the run or replay. */
  note: z.string().nullable(),
  /** For tasks that change records: the changes of the gold, those of the run, and what is wrong with them. */
  changes: z
    .object({ gold: recordDiff, made: recordDiff, faults: z.array(diffFault) })
    .nullable()
    .default(null),
});
export type Evidence = z.infer<typeof evidence>;

export const scoreOptions = z.object({
  parse: z.enum(['strict', 'lenient']),
  columns: z.enum(['exact', 'superset']),
  /** `answer`: an answer decides, and calls are replayed without one. `calls`: calls are always replayed. */
  judge: z.enum(['answer', 'calls']),
  /** Completion as computed by the paper's authors. */
  legacy: z.boolean(),
  /** `needed`: calls equal to the gold are not replayed, since they are proven. */
  replay: z.enum(['needed', 'all']),
  budget: z.number().int().positive(),
  /** The samples that figures cover; absent in older files. `default`: excluding `guessable` samples. */
  selection: z.enum(['default', 'all']).default('all'),
  seed: z.number().int(),
  resamples: count,
});
export type ScoreOptions = z.infer<typeof scoreOptions>;

/** Completion over both selections, whichever the other figures cover. */
export const selections = z.object({
  /** Number of selected samples that are `guessable`. */
  guessable: count,
  default: share,
  /** null if there are such samples and none was run. */
  all: share.nullable(),
});
export type Selections = z.infer<typeof selections>;

/** Passes of a part, and how many of them were luck. */
export const luckGroup = z.object({ key: z.string(), passes: count, lucky: count });
export type LuckGroup = z.infer<typeof luckGroup>;

/** How passes fared in worlds. */
export const worldsReport = luckGroup.extend({
  worlds: count,
  /** Passes of samples that no world keeps. */
  not_judged: count,
  formulations: z.array(luckGroup),
  /** By SQL construct of the gold query. */
  constructs: z.array(luckGroup),
  /** Each pass, with the number of worlds that keep its sample, and of those in which its calls give the gold rows. */
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
/** Metrics that are newer than a report are absent. */
const SCHEMAS = {
  share: share.default({ ...EMPTY, count: 0, ci: null }),
  f1: f1Score.default({ precision: null, recall: null, f1: null, tp: 0, fp: 0, fn: 0, n: 0, ci: null }),
  mean: mean.default(EMPTY),
  spread: spread.default({ ...EMPTY, p50: null, p95: null, sd: null }),
};

function schemasOf<M extends Metrics>(metrics: M): { [K in keyof M]: z.ZodType<FigureOf<M[K]>> } {
  const schemas = Object.entries(metrics).map(([name, each]) => [
    name,
    isMetric(each) ? SCHEMAS[each.kind] : z.object(schemasOf(each)),
  ]);
  return Object.fromEntries(schemas);
}

const figures = schemasOf(METRICS);

export const report = z.object({
  format: z.literal(REPORT_FORMAT),
  farm: z.object({
    name: z.string(),
    split: z.string(),
    hash: z.string(),
    generator_version: z.string(),
    samples: count,
    /** For a world: its mark; else null. */
    world: worldMark.nullable().default(null),
    /** Hash of the split's content; null in older reports. */
    content_hash: z.string().nullable().default(null),
    /** For a split under new names: its mark, with the original's hash; else null. */
    renamed: renamedMark.nullable().default(null),
    /** For a farm searched by vectors: how they are made; else null. */
    vectors: vectorSearch.nullable().default(null),
  }),
  run: predictionHeader,
  options: scoreOptions,
  ledger,
  selections: selections.nullable().default(null),
  metrics: z.object({
    ...figures,
    unanswerable: z.object(schemasOf(METRICS.unanswerable)).prefault({} as never),
    /** Absent in older reports. */
    completion_strict: share.optional(),
    slot: z.object({ ...schemasOf(METRICS.slot), pairs: count }),
    bfcl: z.object({ ...schemasOf(METRICS.bfcl), error_types: z.record(z.string(), count) }),
    /** null unless these figures apply to the run's category. */
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
    /** Over `query` tasks whose calls are known; null if there are none. */
    query: queryFigures.nullable().default(null),
    /** Over `hybrid` tasks; null if there are none. */
    hybrid: hybridFigures.nullable().default(null),
    /** Over samples that met a silent fault; false alarms over those that could have but did not. */
    silent_faults: silentFaultFigures.nullable().default(null),
    /** Judged attempts that ended without an answer. */
    ended_by: z.partialRecord(ending, share).default({}),
    react: figures.react,
    efficiency: z.object({
      ...schemasOf(METRICS.efficiency),
      total_cost: ratio,
      /** Over samples whose cost and calls are known; null without any call. */
      cost_per_1000_calls: ratio,
      /** The cost of all attempts, passed or not, per pass; null without any pass. */
      cost_per_pass: ratio,
    }),
  }),
  /** Repeated attempts at each sample; null if there is only one. */
  repeated: z
    .object({
      epochs: count,
      /** Samples that were attempted `epochs` times. */
      samples: count,
      /** Broken attempts, which are excluded. */
      infra_errors: count.default(0),
      /**
       * For k from 1: the probability that at least one of k attempts passes (pass@k), and that all do
       * (pass^k).
       */
      at: z.array(z.object({ k: count, any: estimate, all: estimate })),
    })
    .nullable(),
  /** Over failed samples with an answer and a known trajectory; `endings`: the others, by how they ended. */
  error_classes: z.object({
    n: count,
    counts: z.record(errorClass, count),
    endings: z.partialRecord(ending, count).default({}),
    without_trajectory: count,
  }),
  /** Why models fail, over failed samples whose trajectory is known; lists are sorted by frequency. */
  failures: z.object({
    /** A gold tool, and the tool called in its place, or null. `offered`: whether that tool exists. */
    confusions: z.array(
      z.object({
        expected: z.string(),
        called: z.string().nullable(),
        offered: z.boolean(),
        count,
      }),
    ),
    /** By gold tool: the number of gold calls, of missing calls, and of calls with wrong arguments. */
    tools: z.array(z.object({ tool: z.string(), due: count, missed: count, wrong_arguments: count })),
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
    level: z.array(group).default([]),
    construct: z.array(group),
    gold_calls: z.array(group),
    depth: z.array(group).default([]),
    width: z.array(group).default([]),
    parameters: z.array(group).default([]),
    gold_kind: z.array(group),
    /** `clean`, `doubtful`, and each audit rule. */
    gold_sql: z.array(group).default([]),
  }),
  samples: z.array(sampleScore.extend({ shown: evidence })),
  /** null unless dialogues were scored. */
  dialogues: dialogueFigures.nullable().default(null),
  /** null unless passes were judged in worlds. */
  worlds: worldsReport.nullable().default(null),
});
export type Report = z.infer<typeof report>;

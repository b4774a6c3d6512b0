import { z } from 'zod';
import { row } from './catalog.ts';
import { worldMark } from './farm.ts';
import { silentFaultKind } from './faults.ts';
import { planClass } from './hybrid.ts';
import { category, endedBy, predictionHeader, seenCall, turnExpects } from './prediction.ts';
import { flag, formulation } from './sample.ts';
import { API_CLASSES, ENDINGS, ERROR_CLASSES, HYBRID_FAILURES, QUERY_COMPONENTS } from './vocabulary.ts';

/** The operators of a call of the `query` tool. */
export const queryComponent = z.enum(QUERY_COMPONENTS);

/** How the calls of the `query` tool compare with the gold call; whether their rows are right is told by the outcome. */
export const queryScore = z.object({
  /** Whether the tool was called, and at least once with arguments that fit its schema. */
  call: z.enum(['valid', 'invalid', 'none']),
  /** Collection, presence of a search, filters, aggregations and group-by are all equal. */
  exact: z.boolean(),
  /** `exact`, and the search text is the same. */
  exact_strict: z.boolean(),
  /** The AST score by the published code is 1. */
  exact_legacy: z.boolean(),
  /** By the paper's rule, and by the published code's. */
  ast: z.number(),
  ast_legacy: z.number(),
  /** The collection is the gold one. */
  routed: z.boolean(),
  /** By the number of the gold call's operators. */
  complexity: z.enum(['simple', 'moderate', 'complex']),
  /** What the gold call contains. */
  components: z.array(queryComponent),
});
export type QueryScore = z.infer<typeof queryScore>;

const count = z.number().int().nonnegative();
const cost = z.object({ calls: count, pages: count, rows: count });

export const hybridFailure = z.enum(HYBRID_FAILURES);
export type HybridFailure = z.infer<typeof hybridFailure>;

/** How an attempt at a `hybrid` task did. */
export const hybridScore = z.object({
  /** `40`, or by a seed `40-7`. */
  share: z.string(),
  class: planClass,
  /** Of augmented questions. */
  augmented: z.object({ class: z.enum(API_CLASSES), depth: z.number().int() }).nullable(),
  /** Execution accuracy with extra columns forgiven: what counts. */
  execution: z.boolean(),
  /** The same without. */
  exact: z.boolean(),
  failure: hybridFailure.nullable(),
  /** null where the runner did not say. */
  used: cost.nullable(),
  planned: cost,
  /** Seconds. */
  model_s: z.number().nullable(),
  execution_s: z.number().nullable(),
});
export type HybridScore = z.infer<typeof hybridScore>;

export const REPORT_FORMAT = 'rookery-report/2';

/** The outcome of one sample. `not_run`: there is no prediction; `infra_error`: the run broke, not the agent. */
export const outcome = z.enum(['pass', 'fail', 'unparseable', 'infra_error', 'not_run']);
export type Outcome = z.infer<typeof outcome>;

/** Why a sample failed whose agent gave an answer, first hit in this order. */
export const errorClass = z.enum(ERROR_CLASSES);
export type ErrorClass = z.infer<typeof errorClass>;

/** How an attempt ended that has no answer, or only a part of one. */
export const ending = z.enum(ENDINGS);

/** Which parser read the calls; `calls`: they were given as structured calls. */
export const rung = z.enum([
  'calls',
  'json',
  'native',
  'jsonl',
  'harmony',
  'deepseek',
  'dsml',
  'kimi',
  'mistral',
  'glm',
  'gemma',
  'function_gemma',
  'functionary',
  'qwen2',
  'claude_xml',
  'bfcl_xml',
  'react',
  'name_and_json',
  'fenced',
  'xml',
  'json_in_text',
  'python_literal',
  'call_syntax',
]);
export type Rung = z.infer<typeof rung>;

const reportCount = z.number().int().nonnegative();
const ratio = z.number().nullable();
/** 95 % confidence interval by bootstrap over questions; null when there are no questions to resample. */
const interval = z.tuple([z.number(), z.number()]).nullable();

export const ledger = z.object({
  pass: reportCount,
  fail: reportCount,
  unparseable: reportCount,
  infra_error: reportCount,
  not_run: reportCount,
  total: reportCount,
});
export type Ledger = z.infer<typeof ledger>;

/** `count` of `n`; the value is null when n is 0. */
export const share = z.object({ value: ratio, count: reportCount, n: reportCount, ci: interval });
export type Share = z.infer<typeof share>;

/** The mean over `n` samples; the value is null when n is 0. */
export const mean = z.object({ value: ratio, n: reportCount });
export type Mean = z.infer<typeof mean>;

/** A mean with the median and the 95th percentile; all null when n is 0. */
export const spread = mean.extend({ p50: ratio, p95: ratio });
export type Spread = z.infer<typeof spread>;

/** A figure estimated over `n` samples, with its interval. */
export const estimate = z.object({ value: ratio, n: reportCount, ci: interval });
export type Estimate = z.infer<typeof estimate>;

/** Micro-averaged precision, recall and F1 over `n` samples; the interval is that of the F1. */
export const f1Score = z.object({
  precision: ratio,
  recall: ratio,
  f1: ratio,
  tp: reportCount,
  fp: reportCount,
  fn: reportCount,
  n: reportCount,
  ci: interval,
});
export type F1Score = z.infer<typeof f1Score>;

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

/** Figures of the `query` tool over some part of its tasks. */
export const queryGroup = z.object({
  key: z.string(),
  n: reportCount,
  /** Whose rows are right. */
  passed: reportCount,
  exact: reportCount,
  exact_strict: reportCount,
  exact_legacy: reportCount,
  ast: ratio,
  ast_legacy: ratio,
  routed: reportCount,
});
export type QueryGroup = z.infer<typeof queryGroup>;

/** Figures of `hybrid` tasks over some part of them; costs of APIs are means of the attempts that told theirs. */
export const hybridGroup = z.object({
  key: z.string(),
  n: reportCount,
  execution: reportCount,
  /** Of the share with right rows. */
  interval,
  exact: reportCount,
  passed: reportCount,
  calls: ratio,
  pages: ratio,
  rows: ratio,
  planned_calls: ratio,
  planned_pages: ratio,
  planned_rows: ratio,
});
export type HybridGroup = z.infer<typeof hybridGroup>;

const triple = z.tuple([reportCount, reportCount, reportCount]);

/** The kind of a gold answer: informative rows, or an answer that many wrong calls also give. */
export const goldKind = z.enum(['telling', 'empty', 'null', 'zero']);
export type GoldKind = z.infer<typeof goldKind>;

/**
 * How a wrong value differs from the right one, first hit in this order. `reference`: another result is referred to, or
 * a result on one side only. `type`: the same value as another JSON type. `case`: the same text but for case and blanks.
 * `date`: both are dates. `unit`: the same number in another unit (a power of ten, 60, 3600, 24, 7, 12), or with its unit
 * written after it.
 */
export const valueFault = z.enum(['reference', 'type', 'case', 'date', 'unit', 'other']);
export type ValueFault = z.infer<typeof valueFault>;

/** One argument in which a call differs from its gold call. */
export const argumentFault = z.object({
  /** Position of the gold call, from 0. */
  call: reportCount,
  tool: z.string(),
  argument: z.string(),
  kind: z.enum(['missing', 'unexpected', 'value']),
  /** Of kind `value` only. */
  fault: valueFault.nullable(),
});
export type ArgumentFault = z.infer<typeof argumentFault>;

/** What an agent did about answers that were silently wrong; null where it met none (the last: where it met one). */
export const silentFaultScore = z.object({
  /** The kinds that it met. */
  met: z.array(silentFaultKind),
  /** It asked again, said that it has doubts, or was right all the same. */
  noticed: z.boolean().nullable(),
  /** It asked again and was answered truly. */
  verified: z.boolean().nullable(),
  /** The answer that it gave is right. */
  recovered: z.boolean().nullable(),
  /** It said that it has doubts. */
  admitted: z.boolean().nullable(),
  /** It said so without having met any. */
  false_alarm: z.boolean().nullable(),
});
export type SilentFaultScore = z.infer<typeof silentFaultScore>;

/** One part or turn of a composed task. */
export const partScore = z.object({
  sample_id: z.string(),
  expects: turnExpects,
  /** Its rows are right, or nothing was called where nothing can be. */
  passes: z.boolean(),
});
export type PartScore = z.infer<typeof partScore>;

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
  gold_calls: reportCount,
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
  relevance: z.boolean().nullable(),
  /** Of a failing sample: where other tools were called than the gold's; `called` is null where none was. */
  confusions: z.array(
    z.object({ expected: z.string(), called: z.string().nullable(), offered: z.boolean() }),
  ),
  /** Of a failing sample: arguments that differ in calls of the right tool. */
  argument_faults: z.array(argumentFault),
  intent: z.object({ prefix: triple, position: triple, multiset: triple }).nullable(),
  slot: z.object({ raw: triple, canonical: triple, pairs: reportCount }).nullable(),
  /** Shares that rewards are shaped from; see `scoreCredit`. */
  credit: z.object({ calls: z.number(), slots: ratio }).nullable().default(null),
  execution: z.boolean().nullable(),
  exact_string: z.boolean().nullable(),
  /** Error types as in BFCL's score files, `ok` if valid. */
  bfcl: z.object({ faithful: z.string(), fixed: z.string() }).nullable(),
  /** BFCL's retired checks of the executed call, likewise; REST only. */
  executed: z
    .object({ exact: z.string(), real_time: z.string(), structural: z.string(), rest: z.string() })
    .nullable(),
  /** null where the run had no silent faults in store. */
  silent_faults: silentFaultScore.nullable().default(null),
  /** Of tasks of the `query` tool, where the calls are known. */
  query: queryScore.nullable().default(null),
  /** Of `hybrid` tasks. */
  hybrid: hybridScore.nullable().default(null),
  /** Of a composed task, in the order in which they were asked for; null for any other. */
  parts: z.array(partScore).nullable().default(null),
  /** How the attempt ended; the agent's `error_class` is only of failures that ended with an `answer`. */
  ended_by: endedBy.or(z.literal('not_run')),
  out_of_budget: z.boolean().nullable(),
  stuck_name: z.boolean().nullable(),
  stuck_exact: z.boolean().nullable(),
  unclassified: z.boolean().nullable(),
  calls: reportCount.nullable(),
  redundant_calls: reportCount.nullable(),
  loops: reportCount.nullable(),
  latency_s: z.number().nullable(),
  input_tokens: reportCount.nullable(),
  output_tokens: reportCount.nullable(),
  cached_tokens: reportCount.nullable(),
  reasoning_tokens: reportCount.nullable(),
  cost: z.number().nullable(),
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
  gold_row_count: reportCount,
  ordered: z.boolean(),
  /** null when no calls could be read. */
  predicted_calls: z.array(z.unknown()).nullable(),
  predicted_rows: z.array(row).nullable(),
  predicted_row_count: reportCount.nullable(),
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
  resamples: reportCount,
});
export type ScoreOptions = z.infer<typeof scoreOptions>;

/** Completion over either selection, whichever the other figures are over. */
export const selections = z.object({
  /** Chosen samples that are `guessable`: agents that do not think are sure to pass them. */
  guessable: reportCount,
  default: share,
  /** null where there are such samples and none of them was run. */
  all: share.nullable(),
});
export type Selections = z.infer<typeof selections>;

/** Passes of some part, and how many of them were luck. */
export const luckGroup = z.object({ key: z.string(), passes: reportCount, lucky: reportCount });
export type LuckGroup = z.infer<typeof luckGroup>;

/** What became of passes in worlds. */
export const worldsReport = luckGroup.extend({
  /** How many there are. */
  worlds: reportCount,
  /** Passes of samples that no world keeps. */
  not_judged: reportCount,
  formulations: z.array(luckGroup),
  /** By SQL construct of the gold query. */
  constructs: z.array(luckGroup),
  /** Each pass, with the worlds that keep its sample, and in how many of them its calls give the gold rows. */
  samples: z.array(
    z.object({
      sample_id: z.string(),
      epoch: z.number().int().positive(),
      worlds: reportCount,
      right: reportCount,
    }),
  ),
});
export type WorldsReport = z.infer<typeof worldsReport>;

/** `report.json` */
export const report = z.object({
  format: z.literal(REPORT_FORMAT),
  farm: z.object({
    name: z.string(),
    split: z.string(),
    hash: z.string(),
    generator_version: z.string(),
    samples: reportCount,
    /** Of a world: which one. */
    world: worldMark.nullable().default(null),
  }),
  run: predictionHeader,
  options: scoreOptions,
  ledger,
  selections: selections.nullable().default(null),
  metrics: z.object({
    /** Over every chosen sample, run or not: the headline figure. */
    completion: share,
    /** The same of answers whose rows are in the form that the contract asks for; absent in older reports. */
    completion_strict: share.optional(),
    /** Of all samples that were run, broken runs included, as the paper counts. */
    completion_of_run: share,
    /** The same without broken runs. */
    completion_without_infra_errors: share,
    intent: z.object({ prefix: f1Score, position: f1Score, multiset: f1Score }),
    slot: z.object({ raw: f1Score, canonical: f1Score, pairs: reportCount }),
    execution_accuracy: share,
    exact_string: share,
    bfcl: z.object({ faithful: share, fixed: share, error_types: z.record(z.string(), reportCount) }),
    executed: z.object({ exact: share, real_time: share, structural: share, rest: share }),
    relevance: share,
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
    query: z
      .object({
        /** Rows are right: what counts. */
        completion: share,
        exact: share,
        exact_strict: share,
        exact_legacy: share,
        ast: mean,
        ast_legacy: mean,
        routing: share,
        /** The tool was called, whatever its arguments. */
        tool_selection: share,
        /** It was called with arguments that do not fit its schema, and with no others. */
        invalid_calls: share,
        /** By what the gold call contains. */
        by_component: z.array(queryGroup),
        by_complexity: z.array(queryGroup),
        /** By domain. */
        by_use_case: z.array(queryGroup),
      })
      .nullable()
      .default(null),
    /** Over tasks of `hybrid`; null where there are none. */
    hybrid: z
      .object({
        /** Execution accuracy with extra columns forgiven: what counts. */
        execution: share,
        exact: share,
        completion: share,
        /** Seconds of an attempt. */
        model_s: spread,
        execution_s: spread,
        total_s: spread,
        all: hybridGroup,
        by_share: z.array(hybridGroup),
        /** By where the data are that the question needs. */
        by_class: z.array(hybridGroup),
        /** Of augmented questions, by the first API. */
        by_api: z.array(hybridGroup),
        by_depth: z.array(hybridGroup),
        /** How many failed, by the reason. */
        failures: z.partialRecord(hybridFailure, reportCount),
      })
      .nullable()
      .default(null),
    /** Over samples that met a silent fault; false alarms over those that could have and did not. */
    silent_faults: z
      .object({
        noticed: share,
        verified: share,
        recovered: share,
        admitted: share,
        false_alarm: share,
        /** By kind, over the samples that met it. */
        kinds: z.array(
          z.object({
            fault: silentFaultKind,
            n: reportCount,
            noticed: reportCount,
            verified: reportCount,
            recovered: reportCount,
            admitted: reportCount,
          }),
        ),
      })
      .nullable()
      .default(null),
    /** Attempts that ended other than with an answer, of those that were judged. */
    ended_by: z.partialRecord(ending, share).default({}),
    react: z.object({
      loops: mean,
      out_of_budget: share,
      stuck_name: share,
      stuck_exact: share,
      unclassified: share,
    }),
    efficiency: z.object({
      calls: mean,
      gold_calls: mean,
      redundant_calls: mean,
      input_tokens: mean,
      output_tokens: mean,
      cached_tokens: mean,
      reasoning_tokens: mean,
      /** Of a whole attempt. */
      latency_s: spread,
      /** Of a single call, where the run reports it. */
      call_latency_ms: spread,
      cost: mean,
      total_cost: z.number().nullable(),
      /** Over samples whose cost and calls are known; null without any call. */
      cost_per_1000_calls: z.number().nullable(),
      /** The cost of all, passed or not, for each that passed; null without any pass. */
      cost_per_pass: z.number().nullable(),
    }),
  }),
  /** Several attempts at each sample; null where there is one. */
  repeated: z
    .object({
      /** Attempts at each sample. */
      epochs: reportCount,
      /** Samples that were attempted `epochs` times. */
      samples: reportCount,
      /** Their attempts that broke, which are left out. */
      infra_errors: reportCount.default(0),
      /** For k from 1: the chance that at least one of k attempts passes (pass@k), and that all do (pass^k). */
      at: z.array(z.object({ k: reportCount, any: estimate, all: estimate })),
    })
    .nullable(),
  /** Over failing samples whose agent gave an answer and whose trajectory is known; `endings`: the others, by how they ended. */
  error_classes: z.object({
    n: reportCount,
    counts: z.record(errorClass, reportCount),
    endings: z.partialRecord(ending, reportCount).default({}),
    without_trajectory: reportCount,
  }),
  /** Why models fail, over failing samples whose trajectory is known; each list with the most frequent first. */
  failures: z.object({
    /** A tool of the gold, and what was called in its place; null: nothing. `offered`: whether it is a tool at all. */
    confusions: z.array(
      z.object({
        expected: z.string(),
        called: z.string().nullable(),
        offered: z.boolean(),
        count: reportCount,
      }),
    ),
    /** By tool of the gold: how often it was due, not called, and called with wrong arguments. */
    tools: z.array(
      z.object({ tool: z.string(), due: reportCount, missed: reportCount, wrong_arguments: reportCount }),
    ),
    /** By argument. */
    arguments: z.array(
      z.object({
        tool: z.string(),
        argument: z.string(),
        missing: reportCount,
        unexpected: reportCount,
        value: reportCount,
      }),
    ),
    value_faults: z.record(valueFault, reportCount),
  }),
  parsing: z.object({ n: reportCount, rungs: z.record(z.string(), reportCount), strict: share }),
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

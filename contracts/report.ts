import { z } from 'zod';
import { predictionHeader } from './prediction.ts';
import { flag, formulation } from './sample.ts';
import { row } from './value.ts';

export const REPORT_FORMAT = 'rookery-report/1';

/** What became of one sample. `not_run`: there is no prediction; `infra_error`: the run broke, not the agent. */
export const outcome = z.enum(['pass', 'fail', 'unparseable', 'infra_error', 'not_run']);
export type Outcome = z.infer<typeof outcome>;

/** Why a failing sample failed, first hit in this order. */
export const errorClass = z.enum([
  'instruction_alignment_failure',
  'wrong_func_count',
  'wrong_func_format',
  'hallucinated_func_name',
  'wrong_func_name',
  'missing_required_parameter',
  'unexpected_param',
  'value_error',
  'right_calls_wrong_answer',
]);
export type ErrorClass = z.infer<typeof errorClass>;

/** Which step of the ladder read the calls; `calls`: they were given as such. */
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

const count = z.number().int().nonnegative();
const ratio = z.number().nullable();
/** 95 % confidence interval by bootstrap over questions; null where there is nothing to resample. */
const interval = z.tuple([z.number(), z.number()]).nullable();

export const ledger = z.object({
  pass: count,
  fail: count,
  unparseable: count,
  infra_error: count,
  not_run: count,
  total: count,
});
export type Ledger = z.infer<typeof ledger>;

/** `count` of `n`; the value is null when n is 0. */
export const share = z.object({ value: ratio, count, n: count, ci: interval });
export type Share = z.infer<typeof share>;

/** The mean over `n` samples; the value is null when n is 0. */
export const mean = z.object({ value: ratio, n: count });
export type Mean = z.infer<typeof mean>;

/** Micro-averaged precision, recall and F1 over `n` samples; the interval is that of the F1. */
export const f1Score = z.object({
  precision: ratio,
  recall: ratio,
  f1: ratio,
  tp: count,
  fp: count,
  fn: count,
  n: count,
  ci: interval,
});
export type F1Score = z.infer<typeof f1Score>;

/** The main figures of some part of the samples. */
export const group = z.object({
  key: z.string(),
  ledger,
  completion: share,
  intent: f1Score,
  slot: f1Score,
});
export type Group = z.infer<typeof group>;

const triple = z.tuple([count, count, count]);

/** One sample's scores; null where a metric does not apply or the prediction does not tell. */
export const sampleScore = z.object({
  sample_id: z.string(),
  db: z.string(),
  formulation,
  question_id: z.union([z.number().int(), z.string()]),
  difficulty: z.string().nullable(),
  constructs: z.array(z.string()),
  flags: z.array(flag),
  gold_calls: count,
  /** The gold tool was withheld: only `relevance` applies. */
  withheld: z.boolean(),
  outcome,
  error_class: errorClass.nullable(),
  rung: rung.nullable(),
  /** Whether the strict parser reads the calls too. */
  strict: z.boolean().nullable(),
  relevance: z.boolean().nullable(),
  intent: z.object({ prefix: triple, position: triple, multiset: triple }).nullable(),
  slot: z.object({ raw: triple, canonical: triple, pairs: count }).nullable(),
  execution: z.boolean().nullable(),
  exact_string: z.boolean().nullable(),
  /** Error types as in BFCL's score files, `ok` if valid. */
  bfcl: z.object({ faithful: z.string(), fixed: z.string() }).nullable(),
  out_of_budget: z.boolean().nullable(),
  stuck_name: z.boolean().nullable(),
  stuck_exact: z.boolean().nullable(),
  unclassified: z.boolean().nullable(),
  calls: count.nullable(),
  redundant_calls: count.nullable(),
  loops: count.nullable(),
  latency_s: z.number().nullable(),
  input_tokens: count.nullable(),
  output_tokens: count.nullable(),
  cost: z.number().nullable(),
});
export type SampleScore = z.infer<typeof sampleScore>;

/** What a person needs to see to understand one sample's scores. Long results are cut; the counts are whole. */
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
  /** Of the bootstrap. */
  seed: z.number().int(),
  resamples: count,
});
export type ScoreOptions = z.infer<typeof scoreOptions>;

/** `report.json` */
export const report = z.object({
  format: z.literal(REPORT_FORMAT),
  farm: z.object({
    name: z.string(),
    split: z.string(),
    hash: z.string(),
    generator_version: z.string(),
    samples: count,
  }),
  run: predictionHeader,
  options: scoreOptions,
  ledger,
  metrics: z.object({
    /** Of all samples that were run, broken runs included, as the paper counts. */
    completion: share,
    /** The same without broken runs. */
    completion_without_infra_errors: share,
    /** Of every sample chosen, run or not. */
    completion_of_all: share,
    intent: z.object({ prefix: f1Score, position: f1Score, multiset: f1Score }),
    slot: z.object({ raw: f1Score, canonical: f1Score, pairs: count }),
    execution_accuracy: share,
    exact_string: share,
    bfcl: z.object({ faithful: share, fixed: share, error_types: z.record(z.string(), count) }),
    relevance: share,
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
      latency_s: mean,
      cost: mean,
      total_cost: z.number().nullable(),
    }),
  }),
  /** Over failing samples whose trajectory is known. */
  error_classes: z.object({ n: count, counts: z.record(errorClass, count), without_trajectory: count }),
  parsing: z.object({ n: count, rungs: z.record(z.string(), count), strict: share }),
  groups: z.object({
    formulation: z.array(group),
    domain: z.array(group),
    difficulty: z.array(group),
    construct: z.array(group),
    gold_calls: z.array(group),
  }),
  samples: z.array(sampleScore.extend({ shown: evidence })),
});
export type Report = z.infer<typeof report>;

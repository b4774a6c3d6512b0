import { z } from 'zod';
import type { Cell, Row } from '../../contracts/catalog.ts';
import { parameterText } from '../../contracts/exact-json.ts';
import { ENDINGS, ERROR_CLASSES } from '../../contracts/vocabulary.ts';
import {
  type AgentCall,
  alignNames,
  type CallElement,
  isCall,
  isReference,
  pairByName,
} from '../calls/calls.ts';
import { sameValue, type ToolSchema } from '../calls/tool-universe.ts';
import { isNumber, isObject, type Json } from '../json/lossless.ts';
import { pythonStr } from '../json/python.ts';
import { count, groupBy } from './figures.ts';
import type { ErrorClass, Ledger, Report, SampleScore } from './report.ts';
import { compareArguments, countArguments } from './trajectory.ts';

/**
 * How a wrong value differs from the right one; the first that applies, in this order. `reference`: they
 * refer to different results, or only one refers to a result. `type`: the same value as another JSON type.
 * `case`: the texts differ only in case and blanks. `date`: both are dates. `unit`: the same number in
 * another unit (a power of ten, 60, 3600, 24, 7, 12), or with its unit appended.
 */
export const valueFault = z.enum(['reference', 'type', 'case', 'date', 'unit', 'other']);
export type ValueFault = z.infer<typeof valueFault>;

/** One argument in which a call differs from its gold call. */
export const argumentFault = z.object({
  /** Position of the gold call, from 0. */
  call: count,
  tool: z.string(),
  argument: z.string(),
  kind: z.enum(['missing', 'unexpected', 'value']),
  /** Only for kind `value`. */
  fault: valueFault.nullable(),
});
export type ArgumentFault = z.infer<typeof argumentFault>;

/** A gold tool, and the tool called in its place; null if none was. */
export interface Confusion {
  readonly expected: string;
  readonly called: string | null;
}

/**
 * Where a tool other than the gold's was called. Names are aligned (longest common subsequence); between two
 * matches, the remaining gold and predicted names are paired in order. Surplus calls are not confusions.
 */
export function findConfusions(gold: readonly string[], predicted: readonly string[]): Confusion[] {
  const confusions: Confusion[] = [];
  let due: string[] = [];
  let made: string[] = [];
  const settle = () => {
    confusions.push(...due.map((expected, i) => ({ expected, called: made[i] ?? null })));
    [due, made] = [[], []];
  };
  for (const [g, p] of alignNames(gold, predicted)) {
    if (g !== null && p !== null) settle();
    else if (g !== null) due.push(gold[g] as string);
    else if (p !== null) made.push(predicted[p] as string);
  }
  settle();
  return confusions;
}

/** How a wrong value differs from the right one; see `valueFault`. References must be replaced. */
export function classifyValue(gold: Json, predicted: Json): ValueFault {
  const found = new Set(faultsIn(gold, predicted));
  return valueFault.options.find((fault) => found.has(fault)) ?? 'other';
}

/** The faults of all scalars in which two values differ. */
function faultsIn(gold: Json, predicted: Json): ValueFault[] {
  if (isReference(gold) || isReference(predicted)) return ['reference'];
  if (Array.isArray(gold) && Array.isArray(predicted)) {
    if (gold.length !== predicted.length) return ['other'];
    return gold.flatMap((item, i) => differing(item, predicted[i] as Json));
  }
  if (isObject(gold) && isObject(predicted)) {
    const keys = new Set([...Object.keys(gold), ...Object.keys(predicted)]);
    return [...keys].flatMap((key) => {
      const [a, b] = [gold[key], predicted[key]];
      return a === undefined || b === undefined ? ['other' as const] : differing(a, b);
    });
  }
  if (Array.isArray(gold) || Array.isArray(predicted)) {
    const list = Array.isArray(gold) ? gold : (predicted as Json[]);
    const other = Array.isArray(gold) ? predicted : gold;
    return [list.length === 1 && sameValue(list[0] as Json, other) ? 'type' : 'other'];
  }
  if (isObject(gold) || isObject(predicted)) return ['other'];
  return [scalarFault(gold, predicted)];
}

function differing(gold: Json, predicted: Json): ValueFault[] {
  return sameValue(gold, predicted) ? [] : faultsIn(gold, predicted);
}

function scalarFault(gold: Json, predicted: Json): ValueFault {
  const [a, b] = [parameterText(gold).trim(), parameterText(predicted).trim()];
  if (kindOf(gold) !== kindOf(predicted) && (a === b || isSameNumber(a, b))) return 'type';
  if (folded(a) === folded(b)) return 'case';
  if (isDate(a) && isDate(b) && (isWrittenDate(a) || isWrittenDate(b))) return 'date';
  return isOtherUnit(a, b) ? 'unit' : 'other';
}

function kindOf(value: Json): string {
  return value === null ? 'null' : isNumber(value) ? 'number' : typeof value;
}

function isSameNumber(a: string, b: string): boolean {
  return a !== '' && b !== '' && Number(a) === Number(b);
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
}

/** Dates in common notations; a bare year, month (`201208`) or day (`20120823`) counts beside another date. */
function isDate(text: string): boolean {
  return isWrittenDate(text) || /^(1[5-9]|20)\d{2}(\d{2}){0,2}$/.test(text);
}

function isWrittenDate(text: string): boolean {
  return DATES.some((date) => date.test(text));
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const TIME = '(?:[T ]\\d{1,2}:\\d{2}.*)?';
const DATES = [
  new RegExp(`^\\d{4}[-/.]\\d{1,2}(?:[-/.]\\d{1,2}${TIME})?%?$`),
  new RegExp(`^\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2,4}${TIME}$`),
  new RegExp(
    `^(?:\\d{1,2}(?:st|nd|rd|th)?[ -])?${MONTH}\\.?[ -](?:\\d{1,2}(?:st|nd|rd|th)?,? )?\\d{2,4}$`,
    'i',
  ),
];

function isOtherUnit(a: string, b: string): boolean {
  const [x, y] = [measureIn(a), measureIn(b)];
  if (x === null || y === null) return false;
  if (x === y) return true;
  const factor = Math.abs(x) > Math.abs(y) ? x / y : y / x;
  return FACTORS.some((each) => Math.abs(factor - each) <= 1e-6 * each);
}

/** `5`, `5 km`, `5%`, `$5`, `1,000` */
function measureIn(text: string): number | null {
  const found = /^[$€£¥]?\s*(-?[\d,]*\.?\d+(?:e[+-]?\d+)?)\s*(?:%|[\p{L}°²³/]{0,12})$/iu.exec(text)?.[1];
  const value = found === undefined ? Number.NaN : Number(found.replaceAll(',', ''));
  return Number.isFinite(value) ? value : null;
}

/** Powers of ten; seconds, minutes, hours, days, weeks; months and dozens. */
const FACTORS = [10, 100, 1e3, 1e4, 1e5, 1e6, 1e9, 60, 3600, 24, 1440, 86_400, 7, 12];

/** The arguments that differ in calls of the right tool, paired as for slots; references must be replaced. */
export function findArgumentFaults(
  gold: readonly AgentCall[],
  predicted: readonly AgentCall[],
  tools: ReadonlyMap<string, ToolSchema>,
): ArgumentFault[] {
  const names = (calls: readonly AgentCall[]) => calls.map(({ name }) => name);
  return pairByName(names(gold), names(predicted)).flatMap(([g, p]) => {
    const [expected, given] = [gold[g] as AgentCall, predicted[p] as AgentCall];
    const { differences } = compareArguments(expected.arguments, given.arguments, tools.get(expected.name));
    return differences.map((found) => ({
      call: g,
      tool: expected.name,
      argument: found.argument,
      kind: found.kind,
      fault: found.kind === 'value' ? classifyValue(found.gold as Json, found.predicted as Json) : null,
    }));
  });
}

type Failures = Report['failures'];

const MOST_LISTED = 50;

/** Why samples failed, by tool and argument. `due`: the tools of each sample's gold calls. */
export function summarizeFailures(
  samples: readonly SampleScore[],
  due: (sample: SampleScore) => readonly string[],
): Failures {
  const tools = new Map<string, { due: number; missed: number; wrong_arguments: number }>();
  const args = new Map<string, Failures['arguments'][number]>();
  const faults = Object.fromEntries(valueFault.options.map((name) => [name, 0])) as Failures['value_faults'];
  const toolOf = (name: string) => {
    const known = tools.get(name) ?? { due: 0, missed: 0, wrong_arguments: 0 };
    tools.set(name, known);
    return known;
  };
  for (const sample of samples) {
    if (sample.calls === null) continue;
    for (const name of due(sample)) toolOf(name).due++;
    for (const { expected } of sample.confusions) toolOf(expected).missed++;
    const wrong = new Map(sample.argument_faults.map(({ call, tool }) => [call, tool]));
    for (const tool of wrong.values()) toolOf(tool).wrong_arguments++;
    for (const { tool, argument, kind, fault } of sample.argument_faults) {
      const key = JSON.stringify([tool, argument]);
      const known = args.get(key) ?? { tool, argument, missing: 0, unexpected: 0, value: 0 };
      known[kind]++;
      args.set(key, known);
      if (fault !== null) faults[fault]++;
    }
  }
  const made = samples.flatMap(({ calls, confusions }) => (calls === null ? [] : confusions));
  return {
    // The most frequent first, ties by their text.
    confusions: [...groupBy(made, (confusion) => JSON.stringify(confusion))]
      .sort(([a, x], [b, y]) => y.length - x.length || alphabetical(a, b))
      .slice(0, MOST_LISTED)
      .flatMap(([, own]) => own.slice(0, 1).map((confusion) => ({ ...confusion, count: own.length }))),
    tools: [...tools]
      .map(([tool, counts]) => ({ tool, ...counts }))
      .filter(({ missed, wrong_arguments }) => missed + wrong_arguments > 0)
      .sort(
        (a, b) => b.missed + b.wrong_arguments - a.missed - a.wrong_arguments || alphabetical(a.tool, b.tool),
      )
      .slice(0, MOST_LISTED),
    arguments: [...args.values()]
      .sort(
        (a, b) => total(b) - total(a) || alphabetical(`${a.tool} ${a.argument}`, `${b.tool} ${b.argument}`),
      )
      .slice(0, MOST_LISTED),
    value_faults: faults,
  };
}

function total({ missing, unexpected, value }: Failures['arguments'][number]): number {
  return missing + unexpected + value;
}

export function alphabetical(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The input for classifying a failed sample; references in `gold` and `predicted` are already replaced. */
export interface FailedSample {
  readonly gold: readonly AgentCall[];
  /** null if the output contains no readable list of calls. */
  readonly predicted: readonly CallElement[] | null;
  readonly tools: ReadonlyMap<string, ToolSchema>;
  /** The names of the tools offered, if fewer than all. */
  readonly offered: ReadonlySet<string> | null;
}

/**
 * The single reason for which a sample failed.
 *
 * Source: Live API-Bench (arXiv 2506.11266), eight hierarchical error classes in the paper's order; the first
 * that applies wins. Its code is not public. Decisions made here: malformed elements count as calls, calls
 * pair by position, every stage looks at all calls before the next stage begins, "required" and "unexpected"
 * follow the tool's schema, and an optional argument given at its default is right. A sample with right calls
 * but a wrong answer has its own class.
 */
export function classifyError({ gold, predicted, tools, offered }: FailedSample): ErrorClass {
  if (predicted === null) return 'instruction_alignment_failure';
  if (predicted.length !== gold.length) return 'wrong_func_count';
  const calls = predicted.filter(isCall);
  if (calls.length !== predicted.length) return 'wrong_func_format';
  const isOffered = (name: string) => tools.has(name) && (offered === null || offered.has(name));
  if (calls.some(({ name }) => !isOffered(name))) return 'hallucinated_func_name';
  if (calls.some(({ name }, i) => name !== gold[i]?.name)) return 'wrong_func_name';
  const pairs = calls.map((call, i) => ({
    call,
    gold: gold[i] as AgentCall,
    schema: tools.get(call.name) as ToolSchema,
  }));
  if (pairs.some(({ call, schema }) => schema.required.some((key) => !Object.hasOwn(call.arguments, key)))) {
    return 'missing_required_parameter';
  }
  if (
    pairs.some(({ call, schema }) =>
      Object.keys(call.arguments).some((key) => !Object.hasOwn(schema.properties, key)),
    )
  ) {
    return 'unexpected_param';
  }
  const differs = pairs.some((pair) => {
    const { fp, fn } = countArguments(pair.gold.arguments, pair.call.arguments, pair.schema);
    return fp + fn > 0;
  });
  return differs ? 'value_error' : 'right_calls_wrong_answer';
}

export function summarizeErrors(samples: readonly SampleScore[]): Report['error_classes'] {
  const counts = Object.fromEntries(
    ERROR_CLASSES.map((name) => [name, 0]),
  ) as Report['error_classes']['counts'];
  const endings: Report['error_classes']['endings'] = {};
  const failed = samples.filter(({ outcome }) => outcome === 'fail' || outcome === 'unparseable');
  let n = 0;
  let without = 0;
  for (const { error_class, ended_by } of failed) {
    const end = ENDINGS.find((each) => each === ended_by);
    if (end !== undefined) endings[end] = (endings[end] ?? 0) + 1;
    else if (error_class === null) without++;
    else {
      counts[error_class]++;
      n++;
    }
  }
  return { n, counts, endings, without_trajectory: without };
}

/**
 * Completion as computed by Live API-Bench's authors, for comparable figures.
 *
 * Source: the published runner's `check_equality_without_order`. Results are squeezed (a lone row or column
 * becomes a list, a lone cell a scalar); one-dimensional lists compare as multisets of their Python texts,
 * tables cell by cell in order, scalars by `==`; shapes must be equal. So row order is ignored for one column
 * and required for several, whatever the gold SQL demands.
 */
export function scoreCompletionLegacy(gold: readonly Row[], readings: readonly (readonly Row[])[]): boolean {
  const expected = squeeze(gold);
  return readings.some((rows) => sameSqueezed(expected, squeeze(rows)));
}

type Squeezed =
  | { readonly dimensions: 0; readonly cell: Cell }
  | { readonly dimensions: 1; readonly cells: Row }
  | { readonly dimensions: 2; readonly rows: readonly Row[] };

function squeeze(rows: readonly Row[]): Squeezed {
  const [first] = rows;
  if (first === undefined) return { dimensions: 1, cells: [] };
  if (rows.every((row) => row.length === 1)) {
    if (rows.length === 1) return { dimensions: 0, cell: first[0] ?? null };
    return { dimensions: 1, cells: rows.map((row) => row[0] ?? null) };
  }
  return rows.length === 1 ? { dimensions: 1, cells: first } : { dimensions: 2, rows };
}

function sameSqueezed(a: Squeezed, b: Squeezed): boolean {
  if (a.dimensions === 0 && b.dimensions === 0) return a.cell === b.cell;
  if (a.dimensions === 1 && b.dimensions === 1) {
    if (a.cells.length !== b.cells.length) return false;
    const texts = (cells: Row) => cells.map(pythonStr).sort();
    const others = texts(b.cells);
    return texts(a.cells).every((text, i) => text === others[i]);
  }
  if (a.dimensions === 2 && b.dimensions === 2) {
    const other = b.rows;
    return (
      a.rows.length === other.length &&
      a.rows.every(
        (row, i) => row.length === other[i]?.length && row.every((cell, j) => cell === other[i]?.[j]),
      )
    );
  }
  return false;
}

export function countOutcomes(samples: readonly SampleScore[]): Ledger {
  const ledger = { pass: 0, fail: 0, unparseable: 0, infra_error: 0, not_run: 0, total: samples.length };
  for (const sample of samples) ledger[sample.outcome]++;
  return ledger;
}

/** Whether the agent finished, right or wrong; all metrics except completion count only such samples. */
export function wasJudged({ outcome: end }: SampleScore): boolean {
  return end === 'pass' || end === 'fail' || end === 'unparseable';
}

import { z } from 'zod';
import { parameterText } from '../../contracts/exact-json.ts';
import type { AgentCall } from '../calls/agent-call.ts';
import { alignNames, pairByName } from '../calls/pair-calls.ts';
import { isReference } from '../calls/references.ts';
import { sameValue, type ToolSchema } from '../calls/tool-universe.ts';
import { isNumber, isObject, type Json } from '../json/lossless.ts';
import { count } from './figures.ts';
import type { Report, SampleScore } from './report.ts';
import { compareArguments } from './slot.ts';

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
  const confusions = new Tally<Omit<Failures['confusions'][number], 'count'>>();
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
    for (const confusion of sample.confusions) {
      confusions.add(confusion);
      toolOf(confusion.expected).missed++;
    }
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
  return {
    confusions: confusions.list().slice(0, MOST_LISTED),
    tools: [...tools]
      .map(([tool, counts]) => ({ tool, ...counts }))
      .filter(({ missed, wrong_arguments }) => missed + wrong_arguments > 0)
      .sort((a, b) => b.missed + b.wrong_arguments - a.missed - a.wrong_arguments || inOrder(a.tool, b.tool))
      .slice(0, MOST_LISTED),
    arguments: [...args.values()]
      .sort((a, b) => total(b) - total(a) || inOrder(`${a.tool} ${a.argument}`, `${b.tool} ${b.argument}`))
      .slice(0, MOST_LISTED),
    value_faults: faults,
  };
}

class Tally<T extends object> {
  readonly #counts = new Map<string, T & { count: number }>();

  add(item: T): void {
    const key = JSON.stringify(item);
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { ...item, count: 1 });
    else known.count++;
  }

  /** The most frequent first, ties by their text. */
  list(): (T & { count: number })[] {
    return [...this.#counts]
      .sort(([a, x], [b, y]) => y.count - x.count || inOrder(a, b))
      .map(([, item]) => item);
  }
}

function total({ missing, unexpected, value }: Failures['arguments'][number]): number {
  return missing + unexpected + value;
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { AcceptedValues } from '../../contracts/sample.ts';
import type { Candidate, RestCandidate } from '../lower/candidate.ts';
import type { GoldQuery } from './gold-answers.ts';
import { type VerifyContext, verifyCandidate } from './verify-candidate.ts';
import { AWKWARD } from './verify-rest.ts';

/** A longer list has too many orders to try and to write down. */
const LONGEST_LIST = 4;

/**
 * Other ways to write the arguments of a call: a date with a time of midnight, a number in other digits, a LIKE pattern
 * with the wildcards that the endpoint adds, a list in other orders. Whether they give the same rows, a proof decides.
 */
export function otherSpellings({ output: [call], bindings }: RestCandidate): AcceptedValues {
  const spelled = Object.entries(call?.arguments ?? {}).map(([name, value]): [string, unknown[]] => {
    if (Array.isArray(value)) return [name, value.length > LONGEST_LIST ? [] : ordersOf(value).slice(1)];
    if (typeof value !== 'string') return [name, []];
    const pattern = bindings.find(({ parameter }) => parameter === name)?.literals[0];
    const { prefix = '', suffix = '' } = pattern ?? {};
    const all = [
      prefix + value,
      value + suffix,
      prefix + value + suffix,
      ...datesLike(value),
      ...numbersLike(value),
    ];
    return [name, [...new Set(all)].filter((other) => other !== value)];
  });
  return Object.fromEntries(spelled.filter(([, others]) => others.length > 0));
}

/** Every order of the items, each once, the given one first. */
function ordersOf(items: readonly unknown[]): unknown[][] {
  if (items.length < 2) return [[...items]];
  const orders = items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
  return [...new Map(orders.map((order) => [JSON.stringify(order), order])).values()];
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d))?Z?)?$/;

/** The same moment in other forms of ISO 8601. */
function datesLike(text: string): string[] {
  const [, date, minutes = '00:00', seconds = '00'] = MOMENT.exec(text) ?? [];
  if (date === undefined) return [];
  const time = `${minutes}:${seconds}`;
  const whole = [`${date} ${time}`, `${date}T${time}`, `${date}T${time}Z`];
  return time === '00:00:00' ? [date, ...whole] : whole;
}

/** The same number without leading zeros, with and without a fraction of zero. */
function numbersLike(text: string): string[] {
  if (!/^-?\d{1,15}(?:\.\d+)?$/.test(text)) return [];
  const plain = String(Number(text));
  return /^-?\d+$/.test(plain) ? [plain, `${plain}.0`] : [plain];
}

/**
 * The values among `others` with which the call gives the gold rows on every database, undefined if there are none. An
 * argument for which nonsense gives them as well has none, since rows prove nothing about it; and they have to hold
 * together, as a checker takes each argument by itself.
 */
export async function proveAcceptedValues(
  candidate: Candidate,
  others: AcceptedValues,
  gold: GoldQuery,
  context: VerifyContext,
): Promise<AcceptedValues | undefined> {
  const [call] = candidate.output;
  if (call === undefined) return undefined;
  const holds = async (given: Readonly<Record<string, unknown>>): Promise<boolean> => {
    const output = [{ ...call, arguments: { ...call.arguments, ...given } }];
    return (await verifyCandidate({ ...candidate, output }, gold, context)).kept;
  };
  const proven: [string, unknown[]][] = [];
  for (const [name, values] of Object.entries(others)) {
    const accepted: unknown[] = [];
    for (const value of values) if (await holds({ [name]: value })) accepted.push(value);
    if (accepted.length === 0) continue;
    if (typeof accepted[0] === 'string' && (await holds({ [name]: AWKWARD }))) continue;
    proven.push([name, accepted]);
  }
  if (proven.length === 0) return undefined;
  const together = Object.fromEntries(proven.map(([name, accepted]) => [name, accepted.at(-1)]));
  return proven.length === 1 || (await holds(together)) ? Object.fromEntries(proven) : undefined;
}

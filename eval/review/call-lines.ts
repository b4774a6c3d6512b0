import { stringify } from 'lossless-json';
import type { ArgumentFault } from '../../contracts/report.ts';
import type { ReviewedCall, SampleReview } from '../../contracts/sample-review.ts';
import {
  type AgentCall,
  type CallElement,
  isCall,
  isMalformed,
  namesOf,
  toCallElement,
} from '../calls/agent-call.ts';
import { alignNames } from '../calls/align-names.ts';
import { pairByName } from '../calls/pair-calls.ts';
import { replaceReferences } from '../calls/references.ts';
import { sameValue } from '../calls/same-value.ts';
import type { Json } from '../json/lossless.ts';

type Line = SampleReview['lines'][number];

/**
 * Gold calls beside predicted calls, line by line. `faults` are the arguments that scoring found to differ, by calls that pair as
 * it pairs them; of others, texts are compared.
 */
export function callLines(
  gold: readonly Json[],
  predicted: readonly Json[] | null,
  faults: readonly ArgumentFault[],
): Line[] {
  const goldElements = gold.map(toCallElement);
  const elements = (predicted ?? []).map(toCallElement);
  const goldNames = namesOf(goldElements);
  const names = namesOf(elements);
  const goldArgs = canonicalArguments(goldElements);
  const args = canonicalArguments(elements);
  const paired = new Map(pairByName(goldNames, names));
  return alignNames(goldNames, names).map(([g, p]) => {
    const alone = g === null || p === null;
    const differs = (key: string) => {
      if (alone || predicted === null) return false;
      if (paired.get(g) === p) return faults.some(({ call, argument }) => call === g && argument === key);
      return !sameArgument(goldArgs[g], args[p], key);
    };
    const show = (element: CallElement) => reviewCall(element, alone && predicted !== null, differs);
    return {
      gold: g === null ? null : show(goldElements[g] as CallElement),
      predicted: p === null ? null : show(elements[p] as CallElement),
    };
  });
}

/** The first line in which the sides differ, from 0; null where none does. */
export function firstDifference(lines: readonly Line[]): number | null {
  const at = lines.findIndex(
    ({ gold, predicted }) => gold === null || predicted === null || isDifferent(gold, predicted),
  );
  return at < 0 ? null : at;
}

function isDifferent(...sides: readonly ReviewedCall[]): boolean {
  return sides.some((call) => call.alone || call.arguments.some(({ differs }) => differs));
}

/** What was called, without any word on whether it was right. */
export function plainLines(predicted: readonly Json[] | null): Line[] {
  return (predicted ?? []).map(toCallElement).map((element) => ({
    gold: null,
    predicted: reviewCall(element, false, () => false),
  }));
}

function reviewCall(element: CallElement, alone: boolean, differs: (key: string) => boolean): ReviewedCall {
  if (isMalformed(element))
    return { name: jsonText(element.malformed), label: '', alone: true, arguments: [] };
  return {
    name: element.name,
    label: element.label ?? '',
    alone,
    arguments: Object.entries(element.arguments).map(([name, value]) => ({
      name,
      value: jsonText(value),
      differs: differs(name),
    })),
  };
}

/** References replaced, so that other labels for the same result are not a difference. */
function canonicalArguments(elements: readonly CallElement[]): (AgentCall['arguments'] | undefined)[] {
  const names = { startLabels: [], startHandles: new Map(), handles: [] };
  const canonical = replaceReferences(elements.filter(isCall), names);
  let next = 0;
  return elements.map((element) => (isCall(element) ? canonical[next++]?.arguments : undefined));
}

function sameArgument(
  a: AgentCall['arguments'] | undefined,
  b: AgentCall['arguments'] | undefined,
  key: string,
): boolean {
  if (a === undefined || b === undefined || !Object.hasOwn(a, key) || !Object.hasOwn(b, key)) return false;
  return sameValue(a[key] as Json, b[key] as Json);
}

/** A value as JSON text. */
export function jsonText(value: Json): string {
  return stringify(value) ?? '';
}

import type { Sample } from '../../contracts/sample.ts';
import type { Row } from '../../contracts/value.ts';
import { findDumps, type Tables } from './find-dumps.ts';
import { type Guessing, isBareCall } from './thoughtless.ts';

/** A domain of a farm with all its samples. */
export interface CardDomain extends Tables {
  readonly samples: readonly Sample[];
}

/** Looks up what whole tables and calls without arguments answer. */
export function guessingOf(domains: readonly CardDomain[]): Guessing {
  return {
    dumps: new Set(domains.flatMap((domain) => [...findDumps(domain.samples, domain)])),
    lastAnswers: lastAnswersOf(domains.flatMap(({ samples }) => samples)),
  };
}

/** Each endpoint was made of a question, so a tool that takes no arguments is the gold call of some sample. */
function lastAnswersOf(samples: readonly Sample[]): Map<string, readonly Row[]> {
  const last = new Map<string, { readonly name: string; readonly rows: readonly Row[] }>();
  for (const { output, toolset, gold_answer: rows } of samples.filter(isBareCall)) {
    const name = output[0]?.name ?? '';
    const known = last.get(toolset.path);
    if (known === undefined || known.name < name) last.set(toolset.path, { name, rows });
  }
  return new Map([...last].map(([path, { rows }]) => [path, rows]));
}

import type { Clauses } from '../clauses/clause.ts';
import { type Distinction, disambiguate } from '../disambiguate.ts';
import { DISTINCTIONS, type Distinguishable } from '../distinctions.ts';
import { assembleName, type Draft, numbered } from './assemble-name.ts';
import { choiceWords } from './choice-words.ts';
import { conditionWords } from './condition-words.ts';
import { headWords } from './head-words.ts';
import type { NamedChoice } from './name-parameters.ts';

export interface Nameable extends Distinguishable {
  readonly parameters: readonly NamedChoice[];
}

/** Names all endpoints of a domain, each unlike the others; a number only when nothing else can be said. */
export function nameEndpoints(endpoints: readonly Nameable[]): readonly string[] {
  const said = disambiguate(endpoints, DISTINCTIONS, (one, distinctions) =>
    assembleName(draftOf(one, distinctions)),
  );
  return numbered(said);
}

function draftOf({ clauses, parameters }: Nameable, distinctions: readonly Distinction[]): Draft {
  const heads = headWords(clauses);
  const words = (place: Distinction['place']) =>
    distinctions.flatMap((one) => (one.place === place ? one.words : []));
  return {
    heads,
    facts: conditionWords(clauses),
    choices: choiceWords(
      [...parameters].sort((a, b) => placeOf(a) - placeOf(b)),
      heads[0] ?? [],
    ),
    any: isAny(clauses),
    by: isTop(clauses) ? 'for' : 'by',
    front: words('front'),
    middle: words('middle'),
    end: words('end'),
  };
}

/** Choices are named as they stand in the first question's SQL. */
function placeOf({ choice }: NamedChoice): number {
  return choice.occurrences[0]?.literals[0]?.span?.start ?? 0;
}

/** Whether a row need meet only one of the conditions. */
function isAny(clauses: Clauses): boolean {
  if (clauses.kind === 'combined') return clauses.op === 'union' || clauses.op === 'union_all';
  return clauses.kind === 'list' && clauses.conditions.length === 1 && clauses.conditions[0]?.kind === 'any';
}

/** Whether the name says "by" of a ranking of several rows. */
function isTop(clauses: Clauses): boolean {
  if (clauses.kind === 'fixed' || clauses.limit === null || clauses.order.length === 0) return false;
  return clauses.limit.rows !== 1 && clauses.limit.skipped === 0;
}

/** The tool's name for agents, from the last part of the path: `get_<name>`. */
export function operationId(name: string): string {
  return `get_${name}`;
}

import type { Clauses, Words } from '../clauses/clause.ts';
import { DISTINCTIONS, type Distinction, type Distinguishable, disambiguate } from '../disambiguate.ts';
import { brief, choiceWords, compact } from './choice-words.ts';
import { conditionWords, type Told } from './condition-words.ts';
import { headWords } from './head-words.ts';
import type { NamedChoice } from './name-parameters.ts';
import { fit, numbered, snake } from './snake.ts';

export interface Nameable extends Distinguishable {
  readonly parameters: readonly NamedChoice[];
}

/** Names all endpoints of a domain, each unlike the others; a number only when nothing else can be said. */
export function nameEndpoints(endpoints: readonly Nameable[]): readonly string[] {
  const said = disambiguate(endpoints, DISTINCTIONS, (one, distinctions) =>
    assembleName(draftOf(one, distinctions)),
  );
  return numbered(said, LONGEST_ENDPOINT_NAME);
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

export const LONGEST_TOOL_NAME = 64;
/** `get_<name>` has to fit. */
export const LONGEST_ENDPOINT_NAME = LONGEST_TOOL_NAME - 'get_'.length;

/** The words of one name, by what they say. */
export interface Draft {
  /** What it begins with, the full writing first. */
  readonly heads: readonly Words[];
  /** What is said of the rows without a choice: without phone, with highest weight. */
  readonly facts: readonly Told[];
  readonly choices: readonly Words[];
  readonly any: boolean;
  /** Joins the choices to what comes before: "by" unless the ranking took it. */
  readonly by: 'by' | 'for';
  /** What tells it from others of the same name. */
  readonly front: Words;
  readonly middle: Words;
  readonly end: Words;
}

/** Of the writings that fit, the one that loses least. */
export function assembleName(draft: Draft): string {
  let best: { readonly name: string; readonly cost: number } | null = null;
  for (const { words, cost } of writings(draft)) {
    if (best !== null && best.cost <= cost) continue;
    const name = snake(words);
    if (name.length <= LONGEST_ENDPOINT_NAME) best = { name, cost };
  }
  if (best !== null) return best.name;
  const shortest = draft.heads.at(-1) ?? ['values'];
  return fit([...draft.front, ...shortest, ...draft.middle, ...draft.end], LONGEST_ENDPOINT_NAME);
}

/** What it costs to leave something out: a choice costs more than a fact, and the last one more than the others. */
const COST = { head: 3, fact: 4, needed: 12, choice: 5, lastChoice: 6, compact: 1, short: 2 } as const;
const MOST_CHOICES = 4;

interface Writing {
  readonly words: Words;
  readonly cost: number;
}

/** The ways to write a name, with everything in it or with less. */
function* writings({ heads, facts, choices, any, by, front, middle, end }: Draft): Generator<Writing> {
  const lists = [
    { listed: choices, cost: 0 },
    { listed: compact(choices), cost: COST.compact },
    // Rather than none.
    { listed: brief(choices), cost: Math.min(choices.length, MOST_CHOICES) * COST.choice },
  ];
  for (const [h, head] of heads.entries()) {
    for (let f = Math.min(facts.length, 3); f >= 0; f--) {
      for (const { listed, cost } of lists) {
        const most = Math.min(listed.length, MOST_CHOICES);
        for (let c = most; c >= 0; c--) {
          const lost = (most - c) * COST.choice + (c === 0 && most > 0 ? COST.lastChoice : 0);
          const untold = facts
            .slice(f)
            .reduce((sum, { needed }) => sum + (needed ? COST.needed : COST.fact), 0);
          const said = [...front, ...head, ...middle, ...facts.slice(0, f).flatMap((fact) => fact.words)];
          const words = [...said, ...conjoined(listed.slice(0, c), by, any ? 'or' : 'and'), ...end];
          const paid = h * COST.head + untold + lost + cost;
          yield { words, cost: paid };
          yield {
            words: words.map((word) => SHORT.get(word.toLowerCase()) ?? word),
            cost: paid + COST.short,
          };
        }
      }
    }
  }
}

/** Abbreviations that everybody reads, and what is understood without. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['records', ''],
  ['administrator', 'admin'],
  ['administrators', 'admins'],
  ['average', 'avg'],
  ['percentage', 'percent'],
  ['number', 'num'],
  ['organization', 'org'],
  ['information', 'info'],
  ['maximum', 'max'],
  ['minimum', 'min'],
]);

function conjoined(listed: readonly Words[], by: string, conjunction: string): Words {
  return listed.flatMap((words, i) => {
    if (i === 0) return [by, ...words];
    return i === listed.length - 1 ? [conjunction, ...words] : words;
  });
}

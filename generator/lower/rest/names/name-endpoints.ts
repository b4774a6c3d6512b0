import type { Fact } from '../outline/facts.ts';
import type { Outline } from '../outline/outline.ts';
import { adjectiveOf } from '../outline/ranking.ts';
import { sameWords } from '../outline/word-lists.ts';
import { brief, choiceWords, compact } from './choice-words.ts';
import { factWords } from './fact-words.ts';
import type { NamedChoice } from './name-parameters.ts';
import { LONGEST_ENDPOINT_NAME } from './operation-id.ts';
import { rankedHeads } from './ranking-words.ts';
import { fit, snake } from './snake.ts';

export interface Nameable {
  readonly outline: Outline;
  readonly parameters: readonly NamedChoice[];
}

/** The words of one name, by what they say. */
interface Draft {
  readonly outline: Outline;
  /** What every name begins with, the full writing first. */
  readonly heads: readonly (readonly string[])[];
  /** What is said of the rows without a choice: without phone, with above average weight. */
  readonly facts: readonly Told[];
  readonly choices: readonly (readonly string[])[];
  /** Joins the choices to what comes before: "by" unless the ranking took it. */
  readonly by: 'by' | 'for';
  /** What tells it from others of the same name. */
  readonly front: readonly string[];
  readonly middle: readonly string[];
  readonly end: readonly string[];
}

/** What a fact adds to a name, and what it costs to leave that out. */
interface Told {
  readonly words: readonly string[];
  readonly cost: number;
}

/**
 * Names all endpoints of a domain, each unlike the others. Those that would share a name all get the first
 * thing that tells them apart: their columns, DISTINCT, the ranking, the sort order, the tables joined; and a
 * number only when nothing can be said.
 */
export function nameEndpoints(endpoints: readonly Nameable[]): readonly string[] {
  let drafts: readonly Draft[] = endpoints.map(draftOf);
  for (const detail of DETAILS) drafts = toldApart(drafts, detail);
  return numbered(drafts.map(assemble));
}

function draftOf({ outline, parameters }: Nameable): Draft {
  const { head, ranking, facts } = outline;
  const heads = rankedHeads(head, ranking);
  return {
    outline,
    heads,
    facts: merged(
      facts
        .map((fact) => ({ words: factWords(fact, outline), cost: costOf(fact) }))
        .filter(({ words }) => words.length > 0),
    ),
    choices: choiceWords(facts, parameters, heads[0] ?? [], outline.speaker.lexicon),
    by: ranking !== null && ranking.rows !== 'one' && !ranking.nth ? 'for' : 'by',
    front: [],
    middle: [],
    end: [],
  };
}

/** Without the rows that there are none of, the choices among these would say that there are some. */
function costOf(fact: Fact): number {
  return fact.kind === 'member' && !fact.present && fact.choices.length > 0 ? COST.absence : COST.fact;
}

/** with phone, with email → with phone and email */
function merged(facts: readonly Told[]): readonly Told[] {
  const plain = facts.filter(
    ({ words: [first, second] }) =>
      first === 'with' && !/^(highest|lowest|most|fewest|above|below)$/.test(second ?? ''),
  );
  const [lead, ...others] = plain;
  if (lead === undefined || others.length === 0) return facts;
  const words = [...lead.words, ...others.flatMap(({ words: [, ...rest] }) => ['and', ...rest])];
  return facts.flatMap((fact) => (fact === lead ? [{ ...lead, words }] : plain.includes(fact) ? [] : [fact]));
}

// ------------------------------------------------------------------------------------------- uniqueness

interface Detail {
  readonly place: 'front' | 'middle' | 'end';
  readonly words: (outline: Outline, others: readonly Outline[]) => readonly string[];
}

const DETAILS: readonly Detail[] = [
  {
    place: 'middle',
    words: ({ head, outputs }, others) => {
      const own = outputs.filter(
        (one) => !others.every((other) => other.outputs.some(({ noun }) => sameWords(noun, one.noun))),
      );
      const lead = head.noun?.one ?? [];
      const lists = own.slice(0, 2).map(({ noun }) => noun.filter((word) => !lead.includes(word)));
      const said = lists.filter((words) => words.length > 0);
      return said.length === 0
        ? []
        : ['with', ...said.flatMap((words, i) => (i === 0 ? words : ['and', ...words]))];
    },
  },
  { place: 'front', words: ({ distinct }) => (distinct ? ['distinct'] : []) },
  {
    place: 'end',
    words: ({ ranking }) => {
      if (ranking === null) return [];
      return ranking.ties ? ['including', 'ties'] : [adjectiveOf(ranking), ...ranking.of.noun];
    },
  },
  {
    place: 'end',
    words: ({ facts }) => {
      const extreme = facts.find((fact) => fact.kind === 'extreme');
      return extreme?.kind === 'extreme' && extreme.ranking.ties ? ['including', 'ties'] : [];
    },
  },
  { place: 'end', words: ({ facts }) => (facts.some(isInclusive) ? ['inclusive'] : []) },
  { place: 'end', words: ({ facts }) => (facts.some(isLike) ? ['in', 'any', 'case'] : []) },
  { place: 'end', words: ({ limited }) => (limited ? ['with', 'limit'] : []) },
  {
    place: 'end',
    words: ({ sorted: [first] }) => {
      if (first === undefined) return [];
      return ['sorted', 'by', ...first.of.noun, ...(first.direction === 'desc' ? ['descending'] : [])];
    },
  },
  {
    place: 'middle',
    words: ({ facts }) => {
      const fixed = facts.find((fact) => fact.kind === 'fixed');
      return fixed?.kind === 'fixed' ? ['with', 'fixed', ...fixed.of.noun] : [];
    },
  },
  {
    place: 'middle',
    words: (outline, others) => {
      const own = tablesOf(outline).filter((table) =>
        others.some((other) => !tablesOf(other).includes(table)),
      );
      return own.length === 0 ? [] : ['via', ...own.slice(0, 1)];
    },
  },
  {
    place: 'end',
    words: ({ query }) => (query.kind === 'set_operation' ? ['by', query.op.replace('_', ' ')] : []),
  },
  {
    place: 'front',
    words: ({ query }) => (query.kind === 'select' && query.groupBy.length > 0 ? ['grouped'] : []),
  },
];

/** `>=` beside a `>` that is otherwise the same. */
function isInclusive(fact: Fact): boolean {
  return fact.kind === 'choice' && (fact.choice.role === 'at_least' || fact.choice.role === 'at_most');
}

/** LIKE without wildcards beside an `=` that is otherwise the same. */
function isLike(fact: Fact): boolean {
  return fact.kind === 'choice' && fact.choice.role === 'like';
}

function tablesOf({ query, speaker }: Outline): readonly string[] {
  if (query.kind !== 'select') return [];
  return query.from.flatMap(({ source }) => {
    const table = speaker.origins.tableOf(source.id);
    return table === null ? [] : [speaker.noun(table).many.join(' ')];
  });
}

function toldApart(drafts: readonly Draft[], { place, words }: Detail): readonly Draft[] {
  const names = drafts.map(assemble);
  return drafts.map((draft, i) => {
    const same = drafts.filter((_, j) => names[j] === names[i]);
    if (same.length === 1) return draft;
    const said = same.map((one) => {
      const others = same.filter((other) => other !== one).map(({ outline }) => outline);
      return { one, words: words(one.outline, others) };
    });
    const own = said.find(({ one }) => one === draft)?.words ?? [];
    const differs = said.some((other) => snake(other.words) !== snake(own));
    return differs && own.length > 0 ? { ...draft, [place]: [...draft[place], ...own] } : draft;
  });
}

// --------------------------------------------------------------------------------------------- assembly

/** Of the writings that fit, the one that loses least. */
function assemble(draft: Draft): string {
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

/**
 * What it costs to leave something out: a choice costs more than a fact, and the last one more than the others.
 */
const COST = {
  head: 3,
  fact: 4,
  absence: 12,
  choice: 5,
  lastChoice: 6,
  compact: 1,
  brief: 4,
  short: 2,
} as const;
const MOST_CHOICES = 4;

interface Writing {
  readonly words: readonly string[];
  readonly cost: number;
}

/** The ways to write a name, with everything in it or with less. */
function* writings({ outline, heads, facts, choices, by, front, middle, end }: Draft): Generator<Writing> {
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
          const said = [...front, ...head, ...middle, ...facts.slice(0, f).flatMap((fact) => fact.words)];
          const words = [
            ...said,
            ...conjoined(listed.slice(0, c), by, outline.alternatives ? 'or' : 'and'),
            ...end,
          ];
          const paid = h * COST.head + facts.slice(f).reduce((sum, fact) => sum + fact.cost, 0) + lost + cost;
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

function conjoined(
  listed: readonly (readonly string[])[],
  by: string,
  conjunction: string,
): readonly string[] {
  return listed.flatMap((words, i) => {
    if (i === 0) return [by, ...words];
    return i === listed.length - 1 ? [conjunction, ...words] : words;
  });
}

function numbered(names: readonly string[]): readonly string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    for (let n = 2; ; n++) {
      const suffix = `_${n}`;
      const other = `${name.slice(0, LONGEST_ENDPOINT_NAME - suffix.length)}${suffix}`;
      if (taken.has(other)) continue;
      taken.add(other);
      return other;
    }
  });
}

import type { Question } from '../../contracts/split.ts';
import { romanised } from '../../services/base/plain-letters.ts';
import { type Expr, exprsWithin, leftmost } from '../../sql/index.ts';
import type { Choice } from '../template/choices.ts';
import type { Member, Template } from '../template/template.ts';
import { type Clauses, choicesWithin, type Term, type Thing, visitNodes, type Words } from './clause.ts';
import { DISTINCTIONS, type Distinction, type Distinguishable, disambiguate } from './disambiguate.ts';
import { NAME_PART } from './lexicon.ts';
import { isMeasured, leftmostList } from './lists.ts';
import { conditionWords, type Fact, headWords, namedIn } from './query-words.ts';
import { isMatch, isRelation, MATCHES, RELATIONS } from './relations.ts';
import { flagWords, scaleOf, wordsAmong, wordsOf } from './term-words.ts';
import { COUNTS, commonTail, ORDINALS, plural, sameWords, splitWords } from './words.ts';

/** The parameters as a name lists them: ends of a range and names of a person once. */
function choiceWords(
  named: readonly NamedChoice[],
  head: readonly string[],
  rows: Thing | null,
): readonly (readonly string[])[] {
  const listed: (readonly string[])[] = [];
  // After a user's location, a name would be the user's.
  let about = rows;
  for (const { choice, name: whole, of } of named) {
    if (choice.role === 'limit') continue;
    const own = of === null ? [] : wordsAmong(about, of);
    const lead = of === null ? '' : snake(wordsOf(of).slice(0, -own.length));
    const name = lead === '' ? whole : whole.replace(new RegExp(`(^|_)${lead}_`), '$1');
    if (of !== null && lead === '' && wordsOf(of, 'short').length < own.length) about = null;
    // percentage of loans with status: the head has the status already; a change has its start and its end
    if (choice.clause === 'value' && (includesAll(head, name.split('_')) || /^(from|to)_/.test(name)))
      continue;
    const range = choice.role === 'low' || choice.role === 'high';
    const words =
      range && of !== null ? [...own.map((word) => word.toLowerCase()), 'range'] : spokenWords(name, of);
    if (!listed.some((other) => other.join('_') === words.join('_'))) listed.push(words);
  }
  return mergePerson(mergeOrdinals(listed), ownerOf(named));
}

/** The words of a parameter as a noun: director for directed by, promo status for is promo. */
function spokenWords(name: string, of: Term | null): readonly string[] {
  const column = of?.kind === 'property' && of.own.words.at(-1) === 'by' ? of : null;
  const agent = column?.own.text.split(' ') ?? [];
  const noun = agent.length === 1 ? name.replace(column?.own.words.join('_') ?? '', agent.join('_')) : name;
  return flagWords(noun.split('_'));
}

function includesAll(head: readonly string[], words: readonly string[]): boolean {
  const lowered = head.map((word) => word.toLowerCase());
  return words.every((word) => lowered.includes(word) || /^(is|has)$/.test(word));
}

/** first gender and second gender → two genders */
function mergeOrdinals(listed: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const stems = listed.map(([first, ...rest]) => (ORDINALS.includes(first ?? '') ? rest.join('_') : null));
  return listed.flatMap((words, i) => {
    const stem = stems[i];
    const count = stems.filter((other) => other === stem).length;
    // A single one is not an ordinal: a first name.
    if (stem === null || stem === undefined || count === 1) return [words];
    if (stems.indexOf(stem) !== i) return [];
    return [[count > 5 ? 'several' : (COUNTS[count] ?? ''), ...plural(stem.split('_'))]];
  });
}

/** The owner of the names in parameters, if these do not include it. */
function ownerOf(named: readonly NamedChoice[]): readonly string[] {
  const of = named.find(({ name }) => /(first_name|forename)$/.test(name))?.of;
  return of?.kind === 'property' ? (of.owner?.one ?? []).map((word) => word.toLowerCase()) : [];
}

/** forename and surname → driver name */
function mergePerson(
  listed: readonly (readonly string[])[],
  noun: readonly string[],
): readonly (readonly string[])[] {
  const first = listed.find((words) => /(^| )(first name|forename)s?$/.test(words.join(' ')));
  const last = listed.find((words) => /(^| )(last name|surname)s?$/.test(words.join(' ')));
  if (first === undefined || last === undefined) return listed;
  // A first name and an excluded last name do not make a name.
  if (first.includes('excluded') !== last.includes('excluded')) return listed;
  const before = first.slice(0, /^forenames?$/.test(first.at(-1) ?? '') ? -1 : -2);
  const owner = before.length === 0 ? noun : before;
  const name = (first.at(-1) ?? '').endsWith('s') ? 'names' : 'name';
  return listed.flatMap((words) => (words === last ? [] : [words === first ? [...owner, name] : words]));
}

function isExcluded(word: string): boolean {
  return word === 'excluded';
}

/** Shorter words, for a name that would be too long: without `name`, and with shared words once. */
export function compact(listed: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const bare = listed.map(withoutName);
  const texts = bare.map((words) => words.join('_'));
  const kept = bare.map((words, i) =>
    texts.filter((text) => text === texts[i]).length > 1 ? (listed[i] ?? words) : words,
  );
  const tail = commonTail(kept);
  if (kept.length > 1 && tail.length > 0) {
    return kept.map((words, i) => (i === kept.length - 1 ? words : words.slice(0, -tail.length)));
  }
  return kept.map((words, i) => {
    const before = kept[i - 1];
    const first = words[0] ?? '';
    const isSaid = BOUNDS.has(first) || isExcluded(first);
    return before !== undefined && words.length > 1 && before[0] === first && !isSaid
      ? words.slice(1)
      : words;
  });
}

/** Drops `name`, which means little (by county), and the denominator of a ratio. */
function withoutName(words: readonly string[]): readonly string[] {
  const to = words.indexOf('to');
  if (to > 0 && words.at(-1) === 'ratio') return [...words.slice(0, to), 'ratio'];
  if (words.at(-1) !== 'name' || words.length === 1) return words;
  // `short name` keeps `name` and loses its owner.
  const kind = words.at(-2) ?? '';
  return NAME_PART.test(kind) ? [...words.slice(0, -2).filter(isExcluded), kind, 'name'] : words.slice(0, -1);
}

/** Shorter still, so that no choice is lost: only the kind of thing, `date` for a transaction date. */
export function brief(listed: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const short = listed.map(withoutName).map((words) => {
    const lead = words.findIndex((word) => !/^(min|max|above|below|excluded|only)$/.test(word));
    const tail = BOUND.test(words.at(-1) ?? '') ? 2 : 1;
    let from = words.length - tail;
    // A number belongs to the word before it: ages 5 17.
    while (from > lead && /^\d+$/.test(words[from] ?? '')) from--;
    return [...words.slice(0, lead), ...words.slice(Math.max(lead, from))];
  });
  const texts = short.map((words) => words.join('_'));
  return new Set(texts).size < texts.length ? compact(listed) : short;
}

const BOUND =
  /^(name|range|prefix|suffix|contains|pattern|above|below|after|before|from|to|cm|kg|mph|f|num)$|^\d+$/;

interface Nameable extends Distinguishable {
  readonly parameters: readonly NamedChoice[];
  /** What is done to the rows, the longest first: set end time of, set time of. Absent where they are read. */
  readonly leads?: readonly Words[];
}

/** Names endpoints, each differently and not as in `taken`; with a number only when nothing else distinguishes them. */
export function nameEndpoints(
  endpoints: readonly Nameable[],
  taken: readonly string[] = [],
): readonly string[] {
  const names = disambiguate(endpoints, DISTINCTIONS, (one, distinctions) =>
    assembleName(namePartsOf(one, distinctions)),
  );
  const all = numbered([...taken, ...names], LONGEST_ENDPOINT_NAME).slice(taken.length);
  return shortest(all, endpoints, taken);
}

/** Leaves out the least informative parts of names of more than five content words, as long as all stay different. */
function shortest(
  names: readonly string[],
  endpoints: readonly Nameable[],
  others: readonly string[],
): readonly string[] {
  const short = [...names];
  for (const most of [7, 6, 5]) {
    const shorter = endpoints.map((one, i) =>
      contentWords((names[i] ?? '').split('_')) <= most ? '' : assembleName(namePartsOf(one, []), most),
    );
    for (const [i, name] of shorter.entries()) {
      const taken = [...others, ...short, ...shorter].filter((other) => other === name).length;
      if (
        name !== '' &&
        taken === 1 &&
        contentWords(name.split('_')) < contentWords((short[i] ?? '').split('_'))
      )
        short[i] = name;
    }
  }
  return short;
}

const FUNCTION_WORD =
  /^(of|by|above|below|before|after|and|or|with|without|for|per|in|to|from|at|on|the|a|is|that|via|status|excluding)?$/;

function contentWords(words: Words): number {
  return words.filter((word) => !FUNCTION_WORD.test(word)).length;
}

function namePartsOf(
  { clauses, parameters, leads = [[]] }: Nameable,
  distinctions: readonly Distinction[],
): NameParts {
  const plain = headWords(clauses);
  const heads = leads.flatMap((lead) => plain.map((words) => [...lead, ...words]));
  const words = (place: Distinction['place']) =>
    distinctions.flatMap((one) => (one.place === place ? one.words : []));
  const { subject = null, conditions = [] } = leftmostList(clauses) ?? {};
  const rows = heads.every((head) => namedIn(head, subject)) ? subject : null;
  const facts = conditionWords(clauses, rows);
  const choices = choiceWords(
    [...parameters].sort((a, b) => placeOf(a) - placeOf(b)),
    heads[0] ?? [],
    conditions.some(({ kind }) => kind === 'exists') ? null : rows,
  );
  const own = leads[0]?.length && clauses.kind === 'list' ? (clauses.subject?.one ?? []) : [];
  return {
    heads,
    facts: facts.map((fact) => ({ ...fact, words: withoutOwn(fact.words, own) })),
    choices: choices.map((listed) => withoutOwn(listed, own)),
    any: isAny(clauses),
    by: isPlainList(clauses) && !facts.some(isRanking) ? 'by' : 'for',
    front: words('front'),
    middle: words('middle'),
    end: words('end'),
  };
}

/** Whether a fact says that rows rank first: after it, "by" would say groups. */
function isRanking({ words: [, second = ''] }: Fact): boolean {
  return /^(highest|lowest|most|fewest|latest|earliest)$/.test(second);
}

/** delete visits by visit number → delete visits by number: what rows are is in the lead of what is done to them. */
function withoutOwn(words: Words, own: Words): Words {
  const at = words.findIndex((_, i) => own.length > 0 && sameWords(words.slice(i, i + own.length), own));
  const rest = words.slice(at + own.length);
  return at < 0 || rest.length === 0 ? words : [...words.slice(0, at), ...rest];
}

/** Choices are named in the order of the first question's SQL. */
function placeOf({ choice }: NamedChoice): number {
  return choice.occurrences[0]?.literals[0]?.span?.start ?? 0;
}

/** Whether a row need meet only one of the conditions. */
function isAny(clauses: Clauses): boolean {
  if (clauses.kind === 'combined') return clauses.op === 'union' || clauses.op === 'union_all';
  return clauses.kind === 'list' && clauses.conditions.length === 1 && clauses.conditions[0]?.kind === 'any';
}

/** Whether a name lists rows, neither numbers nor those that rank first, of which "by" would say groups or an order. */
function isPlainList(clauses: Clauses): boolean {
  if (clauses.kind === 'combined') return isPlainList(clauses.left) && isPlainList(clauses.right);
  if (clauses.kind === 'fixed' || (clauses.limit !== null && clauses.order.length > 0)) return false;
  return clauses.about !== 'all' && !isMeasured(clauses);
}

/** The tool's name for agents, from the last part of the path: `get_<name>`. */
export function operationId(name: string): string {
  return `get_${name}`;
}

const LONGEST_TOOL_NAME = 64;
/** So that `get_<name>` fits. */
const LONGEST_ENDPOINT_NAME = LONGEST_TOOL_NAME - 'get_'.length;

/** The parts of one name. */
interface NameParts {
  /** Its possible beginnings, the longest first. */
  readonly heads: readonly Words[];
  /** Conditions without a choice: without phone, with highest weight. */
  readonly facts: readonly Fact[];
  readonly choices: readonly Words[];
  readonly any: boolean;
  /** Joins the choices to what comes before: "by" where rows are listed. */
  readonly by: 'by' | 'for';
  /** Distinctions from others of the same name. */
  readonly front: Words;
  readonly middle: Words;
  readonly end: Words;
}

/** The variant that fits and loses least; of as few content words as can be above `most`. */
function assembleName(parts: NameParts, most = Infinity): string {
  let best: { readonly name: string; readonly cost: number } | null = null;
  // Choices can be seen from the parameters, fixed conditions cannot.
  const fact = most < Infinity ? COST.fixed : 0;
  for (const { words, cost: paid, omitted } of variantsOf(parts)) {
    const cost =
      paid + omitted * fact + COST.word * Math.max(0, contentWords(snake(words).split('_')) - most);
    if (best !== null && best.cost <= cost) continue;
    const name = snake(words);
    if (name.length <= LONGEST_ENDPOINT_NAME) best = { name, cost };
  }
  if (best !== null) return best.name;
  const shortest = parts.heads.at(-1) ?? ['values'];
  return fit([...parts.front, ...shortest, ...parts.middle, ...parts.end], LONGEST_ENDPOINT_NAME);
}

/** Costs of omissions: a choice costs more than a fact, and the last choice more than the others. */
const COST = {
  head: 3,
  fact: 4,
  needed: 12,
  choice: 5,
  lastChoice: 6,
  compact: 1,
  short: 2,
  word: 20,
  fixed: 100,
} as const;
const MOST_CHOICES = 4;

interface NameVariant {
  readonly words: Words;
  /** The number of facts left out. */
  readonly omitted: number;
  readonly cost: number;
}

/** The variants of a name, with all parts or fewer. */
function* variantsOf({
  heads,
  facts,
  choices,
  any,
  by,
  front,
  middle,
  end,
}: NameParts): Generator<NameVariant> {
  const lists = [
    { listed: choices, cost: 0 },
    { listed: compact(choices), cost: COST.compact },
    // Better than dropping choices.
    { listed: brief(choices), cost: Math.min(choices.length, MOST_CHOICES) * COST.choice },
  ];
  const hasDetails = heads.at(-1)?.at(-1) === 'details';
  for (const [h, head] of heads.entries()) {
    for (let f = Math.min(facts.length, 3); f >= 0; f--) {
      for (const { listed, cost } of lists) {
        const most = Math.min(listed.length, MOST_CHOICES);
        for (let c = most; c >= 0; c--) {
          const lost = (most - c) * COST.choice + (c === 0 && most > 0 ? COST.lastChoice : 0);
          const omitted = facts
            .slice(f)
            .reduce((sum, { needed }) => sum + (needed ? COST.needed : COST.fact), 0);
          const beginning = [
            ...front,
            ...head,
            ...middle,
            ...facts.slice(0, f).flatMap((fact) => fact.words),
          ];
          const words = [...beginning, ...conjoined(listed.slice(0, c), by, any ? 'or' : 'and'), ...end];
          // Details above a size, not with an income above a size.
          const isMisread =
            f === 0 && c > 0 && hasDetails && head.includes('with') && listed.slice(0, c).every(isBound);
          const paid = h * COST.head + omitted + lost + cost + (isMisread ? COST.fact : 0);
          yield { words, cost: paid, omitted: facts.length - f };
          yield {
            words: words.map((word) => SHORT.get(word.toLowerCase()) ?? word),
            cost: paid + COST.short,
            omitted: facts.length - f,
          };
        }
      }
    }
  }
}

/** Common abbreviations, and words that can be dropped. */
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

function isBound([word = '']: Words): boolean {
  return BOUNDS.has(word);
}

/** by country and type, above age, excluding genre: bounds and what is ruled out come last and need no "by". */
function conjoined(listed: readonly Words[], by: string, conjunction: string): Words {
  const apart = conjunction === 'and' || listed.every(isBound);
  const bounds = listed.filter((words) => apart && isBound(words));
  const excluded = listed.filter(([word = '']) => apart && isExcluded(word));
  const others = listed.filter((words) => ![...bounds, ...excluded].includes(words));
  const joined = (part: readonly Words[]) =>
    part.flatMap((words, i) => (i > 0 && i === part.length - 1 ? [conjunction, ...words] : words));
  const dated = bounds.map(([word = '', ...of]) => [
    (/^(\w+_)?year$/.test(of.join('_')) && BOUNDS.get(word)) || word,
    ...of,
  ]);
  return [
    ...(others.length === 0 ? [] : [by]),
    ...joined(others),
    ...joined(dated),
    ...(excluded.length === 0 ? [] : ['excluding']),
    ...joined(excluded.map(([, ...words]) => flagWords(words))),
  ];
}

/** The words of bounds, with those for years: after a year, not above it. */
const BOUNDS: ReadonlyMap<string, string> = new Map(
  [RELATIONS.above, RELATIONS.below].map(({ name: [bound, , dated] }) => [bound, dated]),
);

/** A choice with the term that its value is compared with; null for a number of rows. */
export interface Chosen {
  readonly choice: Choice;
  readonly of: Term | null;
}

/** A choice as a parameter. */
export interface NamedChoice extends Chosen {
  readonly name: string;
}

const LONGEST = 48;

/**
 * Names the choices of a query, in their order: county_name, above_num_test_takers, excluded_status, limit. Choices
 * about absent rows are not "excluded" as well: without films, by year.
 */
export function nameParameters(chosen: readonly Chosen[], clauses: Clauses): readonly NamedChoice[] {
  const absent = new Set(absentChoices(clauses));
  const removed = chosen.filter(({ choice }) => choice.removed && !absent.has(choice));
  const sides = changeSides(clauses);
  const wordsFor = (one: Chosen, full: boolean): Words => {
    const words = inRole(
      one,
      one.of === null ? ['limit'] : full && one.of.kind === 'property' ? one.of.full.words : wordsOf(one.of),
    );
    return removed.includes(one) ? removing(words, one.choice, removed) : words;
  };
  const plain = chosen.map((one) => wordsFor(one, false));
  const kept = distinguished(plain, (i) => {
    const own = plain[i];
    return chosen[i]?.choice.removed && own !== undefined && own[0] !== 'excluded'
      ? ['excluded', ...own]
      : null;
  });
  const clear = distinguished(kept, (i) => {
    const one = chosen[i];
    return one === undefined ? null : wordsFor(one, true);
  });
  const directed = distinguished(clear, (i) => {
    const [one, words] = [chosen[i], clear[i]];
    const side = one === undefined ? undefined : sides.get(one.choice);
    return side === undefined || words === undefined ? null : [side, ...words];
  });
  const names = withOrdinals(directed.map((words) => fit(words, LONGEST)));
  return chosen.map((one, i) => ({ ...one, name: names[i] ?? '' }));
}

function withOrdinals(names: readonly string[]): readonly string[] {
  return names.map((name, i) => {
    const same = names.flatMap((other, j) => (other === name ? [j] : []));
    if (same.length === 1) return name;
    const at = same.indexOf(i);
    return at < 9 ? `${ORDINALS[at]}_${name}` : `${name}_${at + 1}`;
  });
}

/** Replaces words that several share by others, if that distinguishes any of them. */
function distinguished(all: readonly Words[], other: (i: number) => Words | null): readonly Words[] {
  const names = all.map((words) => fit(words, LONGEST));
  return all.map((words, i) => {
    const sharing = names.flatMap((name, j) => (name === names[i] ? [j] : []));
    if (sharing.length === 1) return words;
    const others = new Set(sharing.map((j) => fit(other(j) ?? [], LONGEST)));
    return (others.size > 1 ? other(i) : null) ?? words;
  });
}

/** The words of a choice that removes rows: excluded genre; removing all other genres leaves only it. */
function removing(words: Words, { role, negated }: Choice, all: readonly Chosen[]): Words {
  const [first, ...rest] = words;
  if (first !== 'excluded') return ['excluded', ...words];
  const others = role === 'not_equal' || role === 'not_among' || negated;
  return others && all.length === 1 ? ['only', ...rest] : words;
}

/** The choices for the start and the end of a change. */
function changeSides(clauses: Clauses): ReadonlyMap<Choice, 'from' | 'to'> {
  const sides = new Map<Choice, 'from' | 'to'>();
  visitNodes(clauses, (node) => {
    if (node.kind !== 'change') return;
    for (const choice of choicesWithin(node.from)) sides.set(choice, 'from');
    for (const choice of choicesWithin(node.to)) sides.set(choice, 'to');
  });
  return sides;
}

/** The choices about absent rows of another table. */
function absentChoices(clauses: Clauses): readonly Choice[] {
  if (clauses.kind === 'fixed') return [];
  if (clauses.kind === 'combined') return [clauses.left, clauses.right].flatMap(absentChoices);
  const absent = clauses.conditions.flatMap((one) =>
    one.kind === 'exists' && one.negated && one.query !== null ? [one.query] : [],
  );
  const found = choicesWithin(absent);
  return [...found, ...clauses.read.flatMap(absentChoices)];
}

const EXTREME = /^(min|max|minimum|maximum|lowest|highest|least|most)$/i;

/** Whether values are dates, or months written as such. */
function isDay(of: Term): boolean {
  const scale = scaleOf(of);
  const inner = of.kind === 'summary' ? of.of : of;
  return scale === 'date' || (scale === 'month' && inner.kind === 'property');
}

function inRole({ choice, of }: Chosen, words: Words): Words {
  const { role, negated, value } = choice;
  if (role === 'limit') return ['limit'];
  if (role === 'factor')
    return /^(19|20)\d\d$/.test(String(value)) && words.at(-1) === 'year'
      ? ['year']
      : [...words.slice(0, 4), 'factor'];
  if (role === 'contains') return [...words, negated ? 'excludes' : 'contains'];
  const relation = role === 'low' ? 'at_least' : role === 'high' ? 'at_most' : role;
  if (isRelation(relation) && relation !== 'equal' && relation !== 'not_equal') {
    const [bound, number, moment] = RELATIONS[relation].name;
    const date = (of !== null && isDay(of)) || /^\d{4}-\d{2}-\d{2}/.test(String(value));
    if (date) return [...words, moment];
    // A bound for a highest temperature: max temperature above.
    return EXTREME.test(words[0] ?? '') ? [...words, number] : [bound, ...words];
  }
  const excluded = (role === 'not_equal' || role === 'not_among') !== negated;
  const several = role === 'among' || role === 'not_among';
  const tail = isMatch(role) ? MATCHES[role].name : '';
  return [excluded ? 'excluded' : '', ...(several ? plural(words) : words), tail].filter(
    (word) => word !== '',
  );
}

const NAME_COLUMNS_LONGEST = 48;
/** Aliases that only mean value. */
const BLAND =
  /^(result|results|res|resylt|value|values|calculate|calculation|answer|output|ans|per|num|cnt|tmp|temp|diff|x|y|n|c|col|column|expr|ratio|rnk)$/;

/** Keys of the answer's rows: the gold queries' aliases if they are informative, else the columns' words. */
export function nameColumns(
  template: Template,
  terms: readonly Term[],
  isPlain: (words: readonly string[]) => boolean,
): readonly string[] {
  const plain = terms.map((term, i) => sensibleAlias(template, i, isPlain) ?? ownWords(term));
  const names = plain.map((words) => fit(words, NAME_COLUMNS_LONGEST) || 'value');
  const full = names.map((name, i) => {
    const shared = names.some((other, j) => j !== i && other === name);
    const term = terms[i];
    return shared && term !== undefined ? fit(wordsOf(term), NAME_COLUMNS_LONGEST) || name : name;
  });
  return numbered(full, NAME_COLUMNS_LONGEST);
}

/** The key of a column: its own words, or the full ones if it is read in a role. */
function ownWords(term: Term): readonly string[] {
  return term.kind === 'property' && term.inRole ? term.full.words : wordsOf(term, 'short');
}

/** The first alias among the members that has known words and no chosen value; columns that contain a choice are skipped. */
function sensibleAlias(
  { members }: Template,
  index: number,
  isPlain: (words: readonly string[]) => boolean,
): readonly string[] | null {
  const chosen = new Set(members.flatMap(chosenWords));
  for (const { query, choices } of members) {
    const first = leftmost(query);
    const column = first.kind === 'select' ? first.columns[index] : undefined;
    const alias = column?.alias ?? null;
    if (column === undefined || alias === null || holdsChoice(column.expr, choices)) continue;
    const words = splitWords(alias).map((word) => word.toLowerCase());
    if (words.length === 0 || words.length > 5 || /\d/.test(alias)) continue;
    if (BLAND.test(snake(words)) || !isPlain(words) || !words.some((word) => word.length > 2)) continue;
    if (!words.some((word) => chosen.has(word))) return words;
  }
  return null;
}

function holdsChoice(expr: Expr, choices: readonly Choice[]): boolean {
  const literals = new Set<Expr>(
    choices.flatMap(({ occurrences }) => occurrences.flatMap((one) => one.literals)),
  );
  return exprsWithin(expr).some((part) => literals.has(part));
}

function chosenWords({ choices }: Member & { readonly question: Question }): readonly string[] {
  return choices.flatMap(({ value }) =>
    (typeof value === 'object' ? value : [value]).flatMap((one) =>
      String(one)
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    ),
  );
}

/** Words as a snake_case name of ASCII letters and digits. */
export function snake(words: readonly string[]): string {
  const parts = words
    .flatMap((word) =>
      romanised(word)
        .toLowerCase()
        .replaceAll("'", '')
        .split(/[^a-z0-9]+/),
    )
    .filter((word) => word !== '');
  return parts.filter((word, i) => word !== parts[i - 1]).join('_');
}

/** As many words as fit, from the front, and at least a part of the first. */
export function fit(words: readonly string[], most: number): string {
  const kept = fittingWords(words, most);
  if (kept.length === words.length && snake(kept).length <= most) return snake(kept);
  const dangling =
    /^(and|or|with|by|for|of|per|to|without|above|below|excluded|min|max|the|in|from|average|avg|total|highest|lowest|latest|earliest|most|fewest|other|than|at|least)$/;
  while (kept.length > 1 && dangling.test(kept.at(-1)?.toLowerCase() ?? '')) kept.pop();
  return snake(kept).slice(0, most).replace(/_+$/, '');
}

/** Adds word by word, so that the cost is bounded by what fits. */
function fittingWords(words: readonly string[], most: number): string[] {
  const kept: string[] = [];
  for (const word of words) {
    kept.push(word);
    if (snake(kept).length <= most) continue;
    if (kept.length > 1) kept.pop();
    break;
  }
  return kept;
}

/** Makes names unique by appending numbers. */
export function numbered(names: readonly string[], most: number): readonly string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    for (let n = 2; ; n++) {
      const suffix = `_${n}`;
      const other = `${name.slice(0, most - suffix.length)}${suffix}`;
      if (taken.has(other)) continue;
      taken.add(other);
      return other;
    }
  });
}

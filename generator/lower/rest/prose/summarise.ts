import type { Expr, Query, SetOperation } from '../../../sql/index.ts';
import type { Choice, Role } from '../choices/choice.ts';
import type { NamedChoice } from '../names/name-parameters.ts';
import { rankedGroups, ranksItself } from '../names/ranking-words.ts';
import type { Fact } from '../outline/facts.ts';
import { limitWords, ordinalAfter } from '../outline/ordinals.ts';
import { type Outline, outlineOf } from '../outline/outline.ts';
import { capital, listed, type Phrase } from '../outline/phrase.ts';
import { COMBINED, readText, selectConditions } from '../outline/query-text.ts';
import { adjectiveOf, bestText, type Ranking } from '../outline/ranking.ts';
import { sameWords } from '../outline/word-lists.ts';
import { exprsOf, exprsWithin } from '../tree/parts.ts';
import { plural } from '../words/nouns.ts';
import { cutText } from './cut-text.ts';
import { filtersOf, isFlat } from './is-flat.ts';
import { wordingOf } from './wording-of.ts';

/** One plain sentence on what an endpoint answers: Schools for a given county with more than a given number of pupils. */
export function summarise(outline: Outline, named: readonly NamedChoice[]): string {
  const { lead, order } = subject(outline);
  const { query } = outline;
  const rows =
    query.kind === 'set_operation' && !readsAsOne(query, outline, named)
      ? combinedText(query, outline, named)
      : [lead, ...clauseTexts(outline, named, lead)].join(' ');
  const single = outline.ranking?.rows === 'one' && lead.startsWith('The ');
  const sentence = (single ? rows.replace(/ that have /g, ' that has ') : rows).replace(/\s+/g, ' ');
  return order === '' ? sentence : `${sentence}, ${order}`;
}

/** Which rows: one condition after the other where these are a plain list, else AND and OR as they stand. */
function clauseTexts(outline: Outline, named: readonly NamedChoice[], lead: string): readonly string[] {
  const { query } = outline;
  const wording = wordingOf(outline, named, 'given');
  const known = { origins: outline.speaker.origins, choiceOf: wording.choiceOf };
  if (query.kind !== 'select' || isFlat(query, known)) return flatTexts(outline, named, lead);
  const read = readText(query, wording);
  const conditions = selectConditions(query, wording);
  return [
    ...(read === '' ? [] : [`read from the ${read}`]),
    ...(conditions === '' ? [] : [`where ${conditions}`]),
  ];
}

/** The sides of a set operation, each with its own conditions. */
function combinedText(query: Query, outline: Outline, named: readonly NamedChoice[]): string {
  if (query.kind === 'set_operation') {
    const left = combinedText(query.left, outline, named);
    const right = combinedText(query.right, outline, query.op === 'except' ? named.map(turned) : named);
    const [first, second] = [leadOf(query.left, outline, named), leadOf(query.right, outline, named)];
    const same = first === second && right !== second;
    const others = same ? `those${right.slice(second.length)}` : uncapital(right);
    return `${left}${query.op.startsWith('union') || query.op === 'except' ? ',' : ''} ${COMBINED[query.op]} ${others}`;
  }
  const side = sideOf(query, outline, named);
  const own = named.filter(({ choice }) => side.choices.has(choice));
  const lead = side.outline.head.textMany;
  return [lead, ...clauseTexts(side.outline, own, lead)].join(' ');
}

/** What EXCEPT takes away, told as what it is. */
function turned(named: NamedChoice): NamedChoice {
  return { ...named, choice: { ...named.choice, removed: !named.choice.removed } };
}

function leadOf(query: Query, outline: Outline, named: readonly NamedChoice[]): string {
  return sideOf(query, outline, named).outline.head.textMany;
}

function sideOf(
  query: Query,
  { speaker }: Outline,
  named: readonly NamedChoice[],
): { readonly outline: Outline; readonly choices: ReadonlySet<Choice> } {
  const parts = new Set<unknown>(exprsOf(query));
  const choices = named
    .map(({ choice }) => choice)
    .filter(({ occurrences }) => occurrences.some(({ literals }) => literals.some((one) => parts.has(one))));
  const outline = outlineOf({ query, origins: speaker.origins, choices }, speaker.lexicon);
  return { outline, choices: new Set(choices) };
}

/** Whether a set operation is understood as one list of rows with the conditions of both sides. */
function readsAsOne(query: SetOperation, outline: Outline, named: readonly NamedChoice[]): boolean {
  const { left, right, op } = query;
  if (left.kind !== 'select' || right.kind !== 'select') return false;
  if (leadOf(left, outline, named) !== leadOf(right, outline, named)) return false;
  const { choiceOf } = wordingOf(outline, named, 'given');
  const known = { origins: outline.speaker.origins, choiceOf };
  if (!isFlat(left, known) || !isFlat(right, known)) return false;
  const chosen = (one: Expr) =>
    exprsWithin(one).some((part) => part.kind === 'literal' && choiceOf.has(part)) &&
    !exprsWithin(one).some(({ kind }) => kind === 'scalar_query' || kind === 'in_query' || kind === 'exists');
  const [a, b] = [filtersOf(left, known.origins), filtersOf(right, known.origins)];
  switch (op) {
    case 'union':
    case 'union_all':
      return (
        a.length === 1 && b.length === 1 && [...a, ...b].every((one) => one.kind !== 'or' && chosen(one))
      );
    case 'intersect':
      return [...a, ...b].every(chosen) && [...a, ...b].every((one) => one.kind !== 'or');
    case 'except':
      return b.every((one) => one.kind !== 'or' && chosen(one));
  }
}

/** What the sentence begins with, and what it ends with when it ranks several rows. */
function subject(outline: Outline): { readonly lead: string; readonly order: string } {
  const { head, ranking, distinct } = outline;
  const cut = cutWords(outline);
  if (ranking === null || head.measure) {
    const lead = distinct && !head.measure ? `Different ${uncapital(head.textMany)}` : head.textMany;
    const [by] = outline.sorted;
    const sorted =
      by === undefined || head.measure
        ? ''
        : `sorted by ${by.of.text}${by.direction === 'desc' ? ', descending' : ''}`;
    return { lead, order: [sorted, head.measure ? '' : cut].filter((part) => part !== '').join(', ') };
  }
  const itself = ranksItself(head, ranking);
  const groups = rankedGroups(head, ranking);
  if (groups !== null) {
    const { one, many } = groups;
    if (ranking.rows === 'one' && !ranking.nth)
      return { lead: `The ${one.join(' ')} ${bestText(ranking)}`, order: '' };
    const lead = ranking.nth ? capital(many.join(' ')) : firstOf(ranking, many.join(' '));
    return {
      lead,
      order: `${ranking.nth ? `${cut} ` : ''}by ${ranking.of.text}, ${orderText(ranking)}`,
    };
  }
  const place = ranking.nth && ranking.rows === 'one' ? ordinalAfter(outline.limit?.skipped ?? null) : null;
  if (place !== null) {
    const one = uncapital(head.textOne).replace(/ of an? /, ' of the ');
    return { lead: `The ${place} ${one}`, order: `by ${ranking.of.text}, ${orderText(ranking)}` };
  }
  if (ranking.rows === 'one' && !ranking.nth) {
    const one = head.textOne.replace(/ of an? /, ' of the ');
    const lead = itself
      ? `The ${adjectiveOf(ranking)} ${uncapital(one.replace(/ of the .*$/, ''))}`
      : `The ${uncapital(inOne(one.replace(` with ${ranking.of.text}`, '').replace(/ per .*$/, '')))} ${bestText(ranking)}`;
    return { lead, order: '' };
  }
  const many = uncapital(head.textMany);
  const lead = ranking.nth ? capital(many) : firstOf(ranking, many);
  const by = itself ? orderText(ranking) : `by ${ranking.of.text}, ${orderText(ranking)}`;
  return { lead, order: ranking.nth ? `${cut} ${itself ? 'of all, ' : ''}${by}` : by };
}

function firstOf({ rows, limit }: Ranking, many: string): string {
  return rows === 'chosen' ? `The first ${many}` : `The first ${limitWords(limit)} ${many}`;
}

/** How many rows are left of all, without the names of parameters. */
function cutWords({ limit }: Outline): string {
  return cutText(limit).replace('`limit` rows', 'a given number of rows');
}

/** school with phone → school and phone; school with phone and city → school, phone and city */
function inOne(text: string): string {
  const [lead, rest] = text.split(/ with (.*)/s);
  return rest === undefined ? text : `${lead}${rest.includes(' and ') ? ',' : ' and'} ${rest}`;
}

function orderText({ of, direction }: Ranking): string {
  const [asc, desc] = ORDERS[of.scale];
  return direction === 'asc' ? asc : desc;
}

const ORDERS = {
  number: ['lowest first', 'highest first'],
  count: ['lowest first', 'highest first'],
  date: ['earliest first', 'latest first'],
  text: ['in ascending order', 'in descending order'],
} as const;

/** Equalities in one phrase, then the other comparisons, what is left out, and what the facts say without a choice. */
function flatTexts(outline: Outline, named: readonly NamedChoice[], lead: string): readonly string[] {
  const conjunction = outline.alternatives ? 'or' : 'and';
  const filters = filtersInOrder(outline, named);
  const kept = filters.filter(({ choice }) => !choice.removed);
  const equal = equalText(
    kept.filter(({ choice }) => isPlain(choice)),
    conjunction,
  );
  const compared = kept.filter(({ choice }) => !isPlain(choice));
  const left = comparedTexts(filters.filter(({ choice }) => choice.removed));
  // "Tariffs with price with price above …" says with once too often.
  const asWhere = compared.length > 0 && conjunction === 'and' && / with /.test(lead);
  const others = asWhere ? [] : comparedTexts(compared);
  const facts = factTexts(outline);
  const wheres = [...(asWhere ? whereTexts(compared) : []), ...facts.wheres];
  // Of a quantity it has to be said who they are.
  const people = outline.head.noun?.many.join(' ') ?? 'rows';
  const rows = together(facts.others).map((text) =>
    text.startsWith('that have ') && outline.head.measure && !lead.endsWith(people)
      ? `of ${people} ${text}`
      : text,
  );
  return [
    ...(equal === '' ? [] : [`for ${equal}`]),
    ...(others.length === 0
      ? []
      : [`${equal !== '' && conjunction === 'or' ? 'or ' : ''}with ${listed(others, conjunction)}`]),
    ...(left.length === 0 ? [] : [`but not with ${listed(left)}${left.length > 1 ? ' together' : ''}`]),
    ...rows,
    ...(wheres.length === 0 ? [] : [`where ${listed(wheres)}`]),
  ];
}

/** that have loans, that have cards → that have loans and cards */
function together(texts: readonly string[]): readonly string[] {
  const plain = texts.filter((text) => /^that have (?!no )/.test(text) && !text.includes(' where '));
  if (plain.length < 2) return texts;
  const all = `that have ${listed(plain.map((text) => text.slice('that have '.length)))}`;
  return texts.flatMap((text) => (text === plain[0] ? [all] : plain.includes(text) ? [] : [text]));
}

/** Comparisons after "where": energy price is above a given value. */
function whereTexts(choices: readonly NamedChoice[]): readonly string[] {
  return choices.flatMap(({ choice, of }) => {
    if (choice.role === 'high' && choices.some((other) => isRange(other, choice, of))) return [];
    const text = choice.role === 'low' ? rangeText(choice) : comparedText(choice, of).replace(/^of /, '');
    const [, not, verb, rest] = text.match(/^(not )?(contain|start|end|match)ing (.*)$/) ?? [];
    if (verb === undefined) return [`${of.text} is ${text}`];
    const plain = verb === 'match' ? 'matches' : `${verb}s`;
    return [`${of.text} ${not === undefined ? plain : `does not ${verb}`} ${rest}`];
  });
}

/** The parameters that say which rows, in the order in which the facts tell them. */
function filtersInOrder({ facts }: Outline, named: readonly NamedChoice[]): readonly NamedChoice[] {
  const order = facts.flatMap((fact) => (fact.kind === 'choice' ? [fact.choice] : []));
  const scaled = facts.some((fact) => fact.kind === 'average' && fact.scaled === 'given');
  // What a fact tells of the rows that there are none of.
  const told = new Set(facts.flatMap((fact) => (fact.kind === 'member' ? fact.choices : [])));
  const place = ({ choice }: NamedChoice) => (order.includes(choice) ? order.indexOf(choice) : order.length);
  return [...named]
    .sort((a, b) => place(a) - place(b))
    .filter(
      ({ choice }) =>
        choice.role !== 'limit' &&
        choice.clause !== 'value' &&
        !told.has(choice) &&
        !(scaled && choice.role === 'factor'),
    );
}

/** a given country and two given languages */
function equalText(choices: readonly NamedChoice[], conjunction: string): string {
  const texts = choices.map(({ of }) => of.text);
  const counts = new Map(texts.map((text) => [text, texts.filter((other) => other === text).length]));
  const single = [...counts].filter(([, count]) => count === 1).map(([text]) => text);
  const several = [...counts]
    .filter(([, count]) => count > 1)
    .map(([text, count]) => severalText(text, count));
  const given = [...(single.length > 0 ? [`a given ${listed(single, conjunction)}`] : []), ...several];
  const any = single.length === 0 && conjunction === 'or' ? 'any of ' : '';
  return given.length === 0 ? '' : `${any}${listed(given, conjunction)}`;
}

function comparedTexts(choices: readonly NamedChoice[]): readonly string[] {
  return choices.flatMap(({ choice, of }) => {
    if (choice.role === 'high' && choices.some((other) => isRange(other, choice, of))) return [];
    if (choice.role === 'low') return [`${of.text} ${rangeText(choice)}`];
    return [isPlain(choice) ? `a given ${of.text}` : `${of.text} ${comparedText(choice, of)}`];
  });
}

function rangeText({ negated }: Choice): string {
  return `${negated ? 'outside' : 'in'} a given range`;
}

function severalText(text: string, count: number): string {
  return `${['', '', 'two', 'three'][count] ?? 'several'} given ${plural(text.split(' ')).join(' ')}`;
}

function isRange(other: NamedChoice, choice: Choice, of: Phrase): boolean {
  return other.choice.role === 'low' && other.of.text === of.text && other.choice !== choice;
}

function isPlain({ role, negated }: Choice): boolean {
  return !negated && (role === 'equal' || role === 'like');
}

function comparedText({ role, negated }: Choice, of: Phrase): string {
  const date = of.scale === 'date';
  const text = date ? (DATED[role] ?? COMPARED[role]) : COMPARED[role];
  return negated ? `not ${text}` : text;
}

const COMPARED: Record<Role, string> = {
  equal: 'equal to a given value',
  not_equal: 'other than a given value',
  at_least: 'of at least a given value',
  above: 'above a given value',
  at_most: 'of at most a given value',
  below: 'below a given value',
  low: 'from a given value on',
  high: 'up to a given value',
  contains: 'containing a given text',
  starts_with: 'starting with a given text',
  ends_with: 'ending with a given text',
  like: 'equal to a given value',
  pattern: 'matching a given pattern',
  among: 'among given values',
  not_among: 'not among given values',
  factor: 'scaled by a given number',
  limit: '',
};

const DATED: Partial<Record<Role, string>> = {
  at_least: 'from a given date on',
  above: 'after a given date',
  at_most: 'up to a given date',
  below: 'before a given date',
};

/** What the facts say without a parameter: what is said with "where", and the rest. */
function factTexts(outline: Outline): {
  readonly wheres: readonly string[];
  readonly others: readonly string[];
} {
  const texts = [...new Set(outline.facts.flatMap((fact) => factText(fact, outline) ?? []))];
  const wheres = texts.filter((text) => text.startsWith('where '));
  return {
    wheres: wheres.map((text) => text.slice(6)),
    others: texts.filter((text) => !wheres.includes(text)),
  };
}

/** What a fact says without a parameter, or null. */
function factText(fact: Fact, { outputs, ranking }: Pick<Outline, 'outputs' | 'ranking'>): string | null {
  switch (fact.kind) {
    case 'choice':
      return null;
    case 'either': {
      const texts = fact.facts.flatMap((one) => factText(one, { outputs: [], ranking: null }) ?? []);
      return texts.length === 0 ? null : `${fact.besides ? 'or ' : ''}${texts.join(' or ')}`;
    }
    case 'fixed':
      return `where ${fact.text}`;
    case 'null': {
      const said = [...outputs, ...(ranking === null ? [] : [ranking.of])];
      if (fact.present && said.some(({ noun }) => sameWords(noun, fact.of.noun))) return null;
      return fact.present ? `where ${fact.of.text} is known` : `where ${fact.of.text} is missing`;
    }
    case 'extreme':
      return `${fact.of === null ? '' : `of the ${fact.of.text} `}${bestText(fact.ranking)}`;
    case 'average':
      return fact.among === '' && fact.scaled === null
        ? `with ${fact.side}-average ${fact.of.text}`
        : `where ${fact.of.text} is ${fact.side} ${fact.scaled === null ? '' : `a ${fact.scaled} multiple of `}the average${fact.among === '' ? '' : ` of those where ${fact.among}`}`;
    case 'comparison':
      return `where ${fact.left.text} is ${(fact.left.scale === 'date' ? DATES : OPERATORS)[fact.op]} ${fact.right.text}`;
    case 'member':
      return `that ${fact.same ? 'are' : 'have'} ${fact.present ? '' : 'no '}${fact.of.join(' ')}${fact.present || fact.where === '' ? '' : ` where ${fact.where}`}`;
  }
}

const OPERATORS = {
  '=': 'the same as',
  is: 'the same as',
  '!=': 'not the same as',
  is_not: 'not the same as',
  '>': 'greater than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
} as const;

const DATES = {
  ...OPERATORS,
  '>': 'after',
  '>=': 'on or after',
  '<': 'before',
  '<=': 'on or before',
} as const;

/** The first letter small unless the word is an acronym. */
function uncapital(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

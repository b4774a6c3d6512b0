import type { Choice, Role } from '../choices/choice.ts';
import type { NamedChoice } from '../names/name-parameters.ts';
import { rankedGroups, ranksItself } from '../names/ranking-words.ts';
import type { Fact } from '../outline/facts.ts';
import type { Outline } from '../outline/outline.ts';
import { capital, listed, type Phrase } from '../outline/phrase.ts';
import { adjectiveOf, bestText, type Ranking } from '../outline/ranking.ts';
import { sameWords } from '../outline/word-lists.ts';
import { plural } from '../words/nouns.ts';
import { limitWords } from './limit-words.ts';

/** One plain sentence on what an endpoint answers: Schools for a given county with more than a given number of pupils. */
export function summarise(outline: Outline, named: readonly NamedChoice[]): string {
  const { lead, order } = subject(outline);
  const facts = factTexts(outline);
  const sentence = [lead, ...choicesText(outline, named), ...facts].join(' ').replace(/\s+/g, ' ');
  return order === '' ? sentence : `${sentence}, ${order}`;
}

/** What the sentence begins with, and what it ends with when it ranks several rows. */
function subject(outline: Outline): { readonly lead: string; readonly order: string } {
  const { head, ranking, distinct } = outline;
  if (ranking === null || head.measure) {
    const lead = distinct && !head.measure ? `Different ${uncapital(head.textMany)}` : head.textMany;
    const [by] = outline.sorted;
    if (by === undefined || head.measure) return { lead, order: '' };
    return { lead, order: `sorted by ${by.of.text}${by.direction === 'desc' ? ', descending' : ''}` };
  }
  const itself = ranksItself(head, ranking);
  const groups = rankedGroups(head, ranking);
  if (groups !== null) {
    const { one, many } = groups;
    if (ranking.rows === 'one' && !ranking.nth)
      return { lead: `The ${one.join(' ')} ${bestText(ranking)}`, order: '' };
    const count = ranking.rows === 'chosen' ? '' : `${limitWords(ranking.limit)} `;
    return {
      lead: `The first ${count}${many.join(' ')}`,
      order: `by ${ranking.of.text}, ${orderText(ranking)}`,
    };
  }
  if (ranking.rows === 'one' && !ranking.nth) {
    const one = head.textOne.replace(/ of an? /, ' of the ');
    const lead = itself
      ? `The ${adjectiveOf(ranking)} ${uncapital(one.replace(/ of the .*$/, ''))}`
      : `The ${uncapital(together(one.replace(` with ${ranking.of.text}`, '').replace(/ per .*$/, '')))} ${bestText(ranking)}`;
    return { lead, order: '' };
  }
  const many = uncapital(head.textMany);
  const lead = ranking.nth
    ? capital(many)
    : ranking.rows === 'chosen'
      ? `The first ${many}`
      : `The first ${limitWords(ranking.limit)} ${many}`;
  const by = itself ? orderText(ranking) : `by ${ranking.of.text}, ${orderText(ranking)}`;
  return { lead, order: ranking.nth ? `at a fixed place ${by}` : by };
}

/** school with phone → school and phone; school with phone and city → school, phone and city */
function together(text: string): string {
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

/** Equalities in one phrase, then the other comparisons, then what is left out. */
function choicesText(outline: Outline, named: readonly NamedChoice[]): readonly string[] {
  const conjunction = outline.alternatives ? 'or' : 'and';
  const filters = filtersInOrder(outline, named);
  const kept = filters.filter(({ choice }) => !isLeftOut(choice, outline));
  const equal = equalText(
    kept.filter(({ choice }) => isPlain(choice)),
    conjunction,
  );
  const others = comparedTexts(kept.filter(({ choice }) => !isPlain(choice)));
  const left = comparedTexts(filters.filter(({ choice }) => isLeftOut(choice, outline)));
  return [
    ...(equal === '' ? [] : [`for ${equal}`]),
    ...(others.length === 0
      ? []
      : [`${equal !== '' && conjunction === 'or' ? 'or ' : ''}with ${listed(others, conjunction)}`]),
    ...(left.length === 0 ? [] : [`but not with ${listed(left)}`]),
  ];
}

/** The parameters that say which rows, in the order in which the facts tell them. */
function filtersInOrder({ facts }: Outline, named: readonly NamedChoice[]): readonly NamedChoice[] {
  const order = facts.flatMap((fact) => (fact.kind === 'choice' ? [fact.choice] : []));
  const place = ({ choice }: NamedChoice) => (order.includes(choice) ? order.indexOf(choice) : order.length);
  return [...named]
    .sort((a, b) => place(a) - place(b))
    .filter(({ choice }) => choice.role !== 'limit' && choice.clause !== 'value');
}

/** Of rows that EXCEPT or NOT IN takes away, unless a fact tells that there are no such. */
function isLeftOut({ removed }: Choice, { facts }: Outline): boolean {
  return removed && !facts.some((fact) => fact.kind === 'member' && fact.chosen);
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
    if (choice.role === 'low') return [`${of.text} in a given range`];
    return [isPlain(choice) ? `a given ${of.text}` : `${of.text} ${comparedText(choice, of)}`];
  });
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

/** What the facts say without a parameter: what is said with "where" in one phrase. */
export function factTexts(outline: Outline): readonly string[] {
  const texts = [...new Set(outline.facts.flatMap((fact) => factText(fact, outline) ?? []))];
  const wheres = texts.filter((text) => text.startsWith('where '));
  const others = texts.filter((text) => !wheres.includes(text));
  return wheres.length === 0 ? others : [...others, `where ${listed(wheres.map((text) => text.slice(6)))}`];
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
      return `where ${fact.of.text} has a fixed form`;
    case 'null': {
      const said = [...outputs, ...(ranking === null ? [] : [ranking.of])];
      if (fact.present && said.some(({ noun }) => sameWords(noun, fact.of.noun))) return null;
      return fact.present ? `where ${fact.of.text} is known` : `where ${fact.of.text} is missing`;
    }
    case 'extreme':
      return bestText(fact.ranking);
    case 'average':
      return `with ${fact.side}-average ${fact.of.text}`;
    case 'comparison':
      return `where ${fact.left.text} is ${OPERATORS[fact.op]} ${fact.right.text}`;
    case 'member':
      return `that have ${fact.present ? '' : fact.chosen ? 'no such ' : 'no '}${fact.of.join(' ')}`;
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

/** The first letter small unless the word is an acronym. */
function uncapital(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

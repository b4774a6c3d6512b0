import type { Choice, Role } from '../choices/choice.ts';
import type { NamedChoice } from '../names/name-parameters.ts';
import type { Outline } from '../outline/outline.ts';
import { listed, type Phrase } from '../outline/phrase.ts';
import { plural } from '../words/nouns.ts';
import { anotherThan } from './another-than.ts';
import { factTexts } from './fact-texts.ts';

/** Equalities in one phrase, then the other comparisons, what is left out, and what the facts say without a choice. */
export function flatTexts(outline: Outline, named: readonly NamedChoice[], lead: string): readonly string[] {
  const conjunction = outline.alternatives ? 'or' : 'and';
  const filters = filtersInOrder(outline, named);
  const kept = filters.filter(({ choice }) => !choice.removed);
  const equal = equalText(
    kept.filter(({ choice }) => isPlain(choice)),
    conjunction,
  );
  const compared = kept.filter(({ choice }) => !isPlain(choice));
  const left = exceptTexts(filters.filter(({ choice }) => choice.removed));
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
    ...rows,
    ...(wheres.length === 0 ? [] : [`where ${listed(wheres)}`]),
    ...(left.length === 0
      ? []
      : [`except those ${listed(left.map((text) => anotherThan(`for ${equal}`, text)))}`]),
  ];
}

/** What each query tells of the rows that it takes away: for a given year with score above a given value. */
function exceptTexts(removed: readonly NamedChoice[]): readonly string[] {
  const scopes = [...new Set(removed.map(({ choice }) => choice.scope))];
  return scopes.map((scope) => {
    const own = removed.filter(({ choice }) => choice.scope === scope);
    const equal = equalText(
      own.filter(({ choice }) => isPlain(choice)),
      'and',
    );
    const others = comparedTexts(own.filter(({ choice }) => !isPlain(choice)));
    return [
      ...(equal === '' ? [] : [`for ${equal}`]),
      ...(others.length === 0 ? [] : [`with ${listed(others)}`]),
    ].join(' ');
  });
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
  // What a fact tells of the rows that there are none of.
  const told = new Set(facts.flatMap((fact) => (fact.kind === 'member' ? fact.choices : [])));
  const place = ({ choice }: NamedChoice) => (order.includes(choice) ? order.indexOf(choice) : order.length);
  return [...named]
    .sort((a, b) => place(a) - place(b))
    .filter(({ choice }) => choice.role !== 'limit' && choice.clause !== 'value' && !told.has(choice));
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
  glob: 'matching a given pattern',
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

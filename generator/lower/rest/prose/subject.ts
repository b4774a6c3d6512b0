import { rankedGroups, ranksItself } from '../names/ranking-words.ts';
import { limitWords, ordinalAfter } from '../outline/ordinals.ts';
import type { Outline } from '../outline/outline.ts';
import { capital, uncapital } from '../outline/phrase.ts';
import { bestText, extremeOf, type Ranking } from '../outline/ranking.ts';
import { cutText } from './cut-text.ts';

/** What the sentence begins with, and what it ends with when it ranks several rows. */
export function subject(outline: Outline): { readonly lead: string; readonly order: string } {
  const { head, ranking, distinct } = outline;
  const cut = cutWords(outline);
  if (ranking === null || head.measure) {
    const lead = distinct && !head.measure ? differentText(outline) : head.textMany;
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
      ? `The ${extremeOf(ranking)} ${uncapital(one.replace(/ of the .*$/, ''))}`
      : `The ${uncapital(inOne(one.replace(` with ${ranking.of.text}`, '').replace(/ per .*$/, '')))} ${bestText(ranking)}`;
    return { lead, order: '' };
  }
  const many = uncapital(head.textMany);
  const lead = ranking.nth ? capital(many) : firstOf(ranking, many);
  const by = itself ? orderText(ranking) : `by ${ranking.of.text}, ${orderText(ranking)}`;
  return { lead, order: ranking.nth ? `${cut} ${itself ? 'of all, ' : ''}${by}` : by };
}

/** Rows of which each is there once; of a number for each group it is the number that may not repeat. */
function differentText({ head }: Outline): string {
  const many = uncapital(head.textMany);
  if (head.measured === null) return `Different ${many}`;
  return head.groups === null ? `Different values of ${many}` : head.textMany;
}

/** The first three films; of an alphabet read backwards the last ones. */
function firstOf({ rows, limit, of, direction }: Ranking, many: string): string {
  const place = of.scale === 'text' && direction === 'desc' ? 'last' : 'first';
  return rows === 'chosen' ? `The ${place} ${many}` : `The ${place} ${limitWords(limit)} ${many}`;
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

import type { Head } from '../outline/head.ts';
import type { Phrase } from '../outline/phrase.ts';
import { adjectiveOf, extremeOf, type Ranking, superlative } from '../outline/ranking.ts';
import { endsWith, sameWords } from '../outline/word-lists.ts';
import type { Noun } from '../words/lexicon.ts';

/** What is returned and how it is ranked, the full writing first, then shorter ones: top schools by enrollment. */
export function rankedHeads(head: Head, ranking: Ranking | null): readonly (readonly string[])[] {
  if (ranking === null || head.measure) return head.many;
  const single = ranking.rows === 'one' || ranking.nth;
  const groups = rankedGroups(head, ranking);
  const heads = groups === null ? (single ? head.one : head.many) : [single ? groups.one : groups.many];
  const alone = ranksMeasure(head, ranking);
  return heads.flatMap((words) =>
    briefly(ranking.of).map((noun) => {
      if (alone) return measured(words, ranking, single);
      const shown = withoutTail(words, ranking.of.noun);
      return single ? best(shown, ranking, noun) : top(shown, ranking, noun, ranksItself(head, ranking));
    }),
  );
}

/** highest consumption per month, top film counts per studio */
function measured(words: readonly string[], ranking: Ranking, single: boolean): readonly string[] {
  const { of, direction, nth } = ranking;
  const at = words.indexOf('per');
  const what = [...of.noun, ...(at < 0 ? [] : words.slice(at))];
  if (single) return [...(nth ? ['nth'] : []), extremeOf(ranking), ...what];
  return [direction === 'desc' ? 'top' : 'bottom', ...what];
}

/** Whether what is ranked is the one number that is returned of groups which are not shown. */
function ranksMeasure(head: Head, { of }: Ranking): boolean {
  return head.groups === null && head.measured !== null && sameWords(of.noun, head.measured);
}

/** The groups, when they are ranked by the one number that is told of each: districts by city count. */
export function rankedGroups(head: Head, { of }: Ranking): Noun | null {
  return head.measured !== null && sameWords(of.noun, head.measured) ? head.groups : null;
}

/** What is ranked by is said once: drivers with points by points, count accounts per region with highest region. */
function withoutTail(words: readonly string[], noun: readonly string[]): readonly string[] {
  const at = words.length - noun.length;
  return endsWith(words, noun) && /^(with|per)$/.test(words[at - 1] ?? '') ? words.slice(0, at - 1) : words;
}

function best(words: readonly string[], ranking: Ranking, noun: readonly string[]): readonly string[] {
  const place = ranking.nth ? ['nth'] : [];
  const adjective = adjectiveOf(ranking);
  const part = PARTS.test(words.at(-1 - ranking.of.noun.length) ?? '');
  if (endsWith(words, ranking.of.noun) && !part && !ranking.nth) {
    // open date with the highest enrollment, but: highest enrollment
    return [adjective, ...words];
  }
  return [...together(words), ...superlative(ranking, place, noun)];
}

/** `school with phone` that has the highest score is a school and phone with it. */
function together(words: readonly string[]): readonly string[] {
  const at = words.indexOf('with');
  if (at < 0) return words;
  const rest = words.slice(at + 1);
  return [...words.slice(0, at), ...(rest.includes('and') ? [] : ['and']), ...rest];
}

/** Before what is only a part of a quantity: days to the delivery date. */
const PARTS = /^(to|from|minus|plus|times|or)$/;

/** Whether what is returned is what it is ranked by. */
export function ranksItself(head: Head, ranking: Ranking): boolean {
  const { of } = ranking;
  if (ranksMeasure(head, ranking)) return true;
  return head.one.some((words) => {
    const before = words.at(-1 - of.noun.length) ?? '';
    return endsWith(words, of.noun) && !/^(with|and|per)$/.test(before) && !PARTS.test(before);
  });
}

function top(
  words: readonly string[],
  ranking: Ranking,
  noun: readonly string[],
  itself: boolean,
): readonly string[] {
  const by = itself ? [] : ['by', ...noun];
  switch (ranking.of.scale) {
    case 'text':
      return [ranking.direction === 'asc' ? 'first' : 'last', ...words, ...by];
    case 'date': {
      const plain = ranking.of.noun.every((word) => /^(date|time|created|creation)$/i.test(word));
      return [adjectiveOf(ranking), ...words, ...(plain ? [] : by)];
    }
    default:
      return [ranking.direction === 'desc' ? 'top' : 'bottom', ...words, ...by];
  }
}

/** What is ranked by, and shorter: enrollment to meals ratio, enrollment ratio. */
function briefly({ noun }: Phrase): readonly (readonly string[])[] {
  const to = noun.indexOf('to');
  const last = noun.at(-1) ?? '';
  if (to > 0 && /^(ratio|percentage)$/.test(last)) return [noun, [...noun.slice(0, to), last]];
  return noun.length > 4 ? [noun, noun.slice(0, 4)] : [noun];
}

import type { Head } from '../outline/head.ts';
import type { Phrase } from '../outline/phrase.ts';
import { adjectiveOf, type Ranking, superlative } from '../outline/ranking.ts';
import { endsWith, sameWords } from '../outline/word-lists.ts';
import type { Noun } from '../words/lexicon.ts';

/** What is returned and how it is ranked, the full writing first, then shorter ones: top schools by enrollment. */
export function rankedHeads(head: Head, ranking: Ranking | null): readonly (readonly string[])[] {
  if (ranking === null || head.measure) return head.many;
  const single = ranking.rows === 'one' || ranking.nth;
  const groups = rankedGroups(head, ranking);
  const heads = groups === null ? (single ? head.one : head.many) : [single ? groups.one : groups.many];
  return heads.flatMap((words) =>
    briefly(ranking.of).map((noun) => {
      const shown = withoutTail(words, ranking.of.noun);
      return single ? best(shown, ranking, noun) : top(shown, ranking, noun, ranksItself(head, ranking));
    }),
  );
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
  if (endsWith(words, ranking.of.noun) && !ranking.nth) {
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

/** Whether what is returned is what it is ranked by. */
export function ranksItself(head: Head, { of }: Ranking): boolean {
  return head.one.some((words) => {
    const before = words.at(-1 - of.noun.length);
    return endsWith(words, of.noun) && !['with', 'and', 'per'].includes(before ?? '');
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

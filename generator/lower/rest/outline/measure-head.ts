import type { Noun } from '../words/lexicon.ts';
import type { Head } from './head.ts';
import { capital, listedColumns, type Phrase } from './phrase.ts';
import { joinedAnd } from './word-lists.ts';

/** Says numbers about all rows, or about each group of them: count schools, average and max weight. */
export function measureHead(phrases: readonly Phrase[], noun: Noun | null, ofAll: boolean): Head {
  const said = listedColumns(phrases.map(apart));
  const whose = ofAll && noun !== null && phrases.every(isQuantity) && !mentions(said, noun);
  const text = capital(whose ? `${said} of ${noun.many.join(' ')}` : said);
  const long = joinedAnd(phrases.map((phrase) => phrase.head));
  const short = joinedAnd(phrases.map((phrase) => phrase.short));
  // The condition may also be told by its parameters.
  const at = phrases.every(({ simple }) => simple) ? -1 : long.lastIndexOf('with');
  const bare = at < 0 ? long : long.slice(0, at);
  const statistics = [...(noun?.one ?? []), 'statistics'];
  const one = [long, bare, short].filter((words, n) => n === 0 || words.length > 1);
  const words = phrases.length > 3 ? [statistics] : phrases.length > 1 ? [long, statistics] : one;
  return {
    many: words,
    one: words,
    textMany: text,
    textOne: text,
    measure: true,
    noun,
    groups: null,
    measured: null,
  };
}

/** What is said for another value of the same parameter column: number of films with another given type. */
function apart({ text }: Phrase, i: number, all: readonly Phrase[]): string {
  const again = all.findIndex((other) => other.text === text) < i;
  const single = text.match(/\b(a|another|the same) given\b/g)?.length === 1;
  return again && single ? text.replace(/\ba given\b/, 'another given') : text;
}

/** Of a column of rows, not of the rows themselves. */
function isQuantity({ scale, text, simple }: Phrase): boolean {
  return (
    simple &&
    scale !== 'count' &&
    !/^(whole part of )?(share|percentage|ratio|difference|relative|whether|years|days|seconds)\b/.test(text)
  );
}

function mentions(text: string, { one, many }: Noun): boolean {
  const said = text.toLowerCase().split(' ');
  return [one.at(-1), many.at(-1)].some((word) => word !== undefined && said.includes(word.toLowerCase()));
}

import type { Noun } from '../words/lexicon.ts';
import type { Head } from './head.ts';
import { capital, listed, type Phrase } from './phrase.ts';
import { joinedAnd } from './word-lists.ts';

/** Says numbers about all rows: count schools, average and max weight. */
export function measureHead(phrases: readonly Phrase[], noun: Noun | null): Head {
  const text = capital(listed(phrases.map((phrase) => phrase.text)));
  const long = joinedAnd(phrases.map((phrase) => phrase.head));
  const short = joinedAnd(phrases.map((phrase) => phrase.short));
  const statistics = [...(noun?.one ?? []), 'statistics'];
  const words =
    phrases.length > 3
      ? [statistics]
      : phrases.length > 1
        ? [long, statistics]
        : [long, ...(short.length < long.length && short.length > 1 ? [short] : [])];
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

import type { Select } from '../../../sql/index.ts';
import type { Noun } from '../words/lexicon.ts';
import { plural, singular } from '../words/nouns.ts';
import type { Head } from './head.ts';
import { type Output, outputOf } from './outputs.ts';
import { listed, upTo } from './phrase.ts';
import type { Saying } from './phrase-of.ts';
import { joinedAnd } from './word-lists.ts';

const prose = (words: readonly string[]) => words.join(' ');

/** Says numbers for each group: count cities per district. */
export function groupedHead(
  measured: Head,
  measures: readonly Output[],
  keys: readonly Output[],
  select: Select,
  saying: Saying,
): Head {
  const shown = keys.length > 0 ? keys : select.groupBy.map((expr) => outputOf(expr, saying));
  const label = shown.find(({ role }) => role === 'label') ?? shown.find(({ role }) => role === 'key');
  const lists = label === undefined ? shown.map(({ among }) => among) : [owner(label, saying)];
  const by = upTo(6, joinedAnd(lists), lists[0] ?? ['group']);
  const groupsText =
    label === undefined
      ? shown.map(({ role, phrase, among }) => (role === 'other' ? phrase.text : prose(among)))
      : lists.map(prose);
  const text = `${measured.textMany} per ${listed(groupsText)}`;
  const write = (words: readonly string[]) => [...words, 'per', ...by];
  const many = measured.many.map(write);
  const groups: Noun = { one: singular(by), many: plural(by) };
  const [only] = measures;
  return {
    ...measured,
    many,
    one: many,
    textMany: text,
    textOne: text,
    measure: false,
    measured: only?.phrase.noun ?? null,
    groups: measures.length === 1 && only !== undefined ? groups : null,
  };
}

/** Who a group is: its table's noun, or the role that the table has here. */
function owner(label: Output, { speaker }: Saying): readonly string[] {
  if (label.role === 'label')
    return label.base === null
      ? label.table === null
        ? label.among
        : speaker.noun(label.table).one
      : label.among;
  return label.table === null ? label.among : speaker.noun(label.table).one;
}

import type { Select } from '../../../sql/index.ts';
import type { Noun } from '../words/lexicon.ts';
import { plural, singular } from '../words/nouns.ts';
import { groupingOf, groupsItsRows } from './grouping.ts';
import type { Head } from './head.ts';
import { type Output, outputOf } from './outputs.ts';
import { listed, prose, upTo } from './phrase.ts';
import type { Saying } from './phrase-of.ts';
import { joinedAnd } from './word-lists.ts';

/** Says numbers for each group: count cities per district. */
export function groupedHead(
  measured: Head,
  measures: readonly Output[],
  keys: readonly Output[],
  select: Select,
  saying: Saying,
): Head {
  const { untold, companions } =
    keys.length > 0 && select.groupBy.length > 0
      ? groupingOf(select, keys, saying, { named: true })
      : { untold: [], companions: [] };
  const shown = keys.length > 0 ? keys : select.groupBy.map((expr) => outputOf(expr, saying));
  const holders = said(
    shown.filter((output) => !companions.includes(output)),
    select,
    saying,
  );
  const by = upTo(6, joinedAnd([...holders.words, ...untold.map(({ noun }) => noun)]), [
    ...(holders.words[0] ?? untold[0]?.noun ?? ['group']),
  ]);
  const beside = said(companions, select, saying);
  const per = listed([...holders.texts, ...untold.map(({ text }) => text)]);
  const others = beside.texts.length > 3 ? 'other details' : listed(beside.texts);
  const text = `${measured.textMany} per ${per}${others === '' ? '' : ` (with ${others})`}`;
  const many = measured.many.map((words) => [...words, 'per', ...by]);
  const who = joinedAnd(beside.words);
  const alone = holders.words.length > 0 || who.length === 0 || who.length > 6;
  const groups: Noun = alone
    ? { one: singular(by), many: plural(by) }
    : { one: [...singular(who), 'of', ...by], many: [...plural(who), 'per', ...by] };
  const [only] = measures;
  return {
    ...measured,
    many,
    one: many,
    textMany: text,
    textOne: text,
    measure: false,
    measured: only?.phrase.noun ?? null,
    // Groups that are not shown are not what is returned.
    groups: measures.length === 1 && only !== undefined && keys.length > 0 ? groups : null,
  };
}

/** What groups are told by: of a name or a key only whose it is, unless many rows share it. */
function said(
  shown: readonly Output[],
  select: Select,
  saying: Saying,
): { readonly words: readonly (readonly string[])[]; readonly texts: readonly string[] } {
  const naming = shown.filter(({ table }) => table === null || !groupsItsRows(select, table, saying));
  const label = naming.find(({ role }) => role === 'label') ?? naming.find(({ role }) => role === 'key');
  if (label !== undefined) {
    const words = owner(label, saying);
    return { words: [words], texts: [prose(words)] };
  }
  return {
    words: shown.map(({ among }) => among),
    texts: shown.map(({ role, phrase, among }) => (role === 'other' ? phrase.text : prose(among))),
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

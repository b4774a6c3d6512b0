import { NAME_PART } from '../words/lexicon.ts';
import { plural } from '../words/nouns.ts';
import { COUNTS, ORDINALS } from '../words/numbers.ts';
import { commonTail } from '../words/word-lists.ts';
import type { NamedChoice } from './name-parameters.ts';
import { wordsOf } from './term-words.ts';

/** The parameters as a name lists them: ends of a range and names of a person once. */
export function choiceWords(
  named: readonly NamedChoice[],
  head: readonly string[],
): readonly (readonly string[])[] {
  const listed: (readonly string[])[] = [];
  for (const { choice, name, of } of named) {
    if (choice.role === 'limit') continue;
    // percentage of loans with status: the status is said already
    if (choice.clause === 'value' && saysAll(head, name.split('_'))) continue;
    const range = choice.role === 'low' || choice.role === 'high';
    const words =
      range && of !== null ? [...wordsOf(of).map((word) => word.toLowerCase()), 'range'] : name.split('_');
    if (!listed.some((other) => other.join('_') === words.join('_'))) listed.push(words);
  }
  return mergePerson(mergeOrdinals(listed), ownerOf(named));
}

function saysAll(head: readonly string[], words: readonly string[]): boolean {
  const said = head.map((word) => word.toLowerCase());
  return words.every((word) => said.includes(word) || /^(is|has)$/.test(word));
}

/** first gender and second gender → two genders */
function mergeOrdinals(listed: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const stems = listed.map(([first, ...rest]) => (ORDINALS.includes(first ?? '') ? rest.join('_') : null));
  return listed.flatMap((words, i) => {
    const stem = stems[i];
    const count = stems.filter((other) => other === stem).length;
    // One alone is no ordinal: a first name.
    if (stem === null || stem === undefined || count === 1) return [words];
    if (stems.indexOf(stem) !== i) return [];
    return [[count > 5 ? 'several' : (COUNTS[count] ?? ''), ...plural(stem.split('_'))]];
  });
}

/** Whose names are asked for, where the parameters do not say it. */
function ownerOf(named: readonly NamedChoice[]): readonly string[] {
  const of = named.find(({ name }) => /(first_name|forename)$/.test(name))?.of;
  return of?.kind === 'property' ? (of.owner?.one ?? []).map((word) => word.toLowerCase()) : [];
}

/** forename and surname → driver name */
function mergePerson(
  listed: readonly (readonly string[])[],
  noun: readonly string[],
): readonly (readonly string[])[] {
  const first = listed.find((words) => /(^| )(first name|forename)s?$/.test(words.join(' ')));
  const last = listed.find((words) => /(^| )(last name|surname)s?$/.test(words.join(' ')));
  if (first === undefined || last === undefined) return listed;
  // A first name and a last name that is left out are no name.
  if (first.includes('excluded') !== last.includes('excluded')) return listed;
  const said = first.slice(0, /^forenames?$/.test(first.at(-1) ?? '') ? -1 : -2);
  const owner = said.length === 0 ? noun : said;
  const name = (first.at(-1) ?? '').endsWith('s') ? 'names' : 'name';
  return listed.flatMap((words) => (words === last ? [] : [words === first ? [...owner, name] : words]));
}

function isExcluded(word: string): boolean {
  return word === 'excluded';
}

/** Shorter, where a name would get too long: `name` is not said, and what two share is said once. */
export function compact(listed: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const bare = listed.map(withoutName);
  const texts = bare.map((words) => words.join('_'));
  const kept = bare.map((words, i) =>
    texts.filter((text) => text === texts[i]).length > 1 ? (listed[i] ?? words) : words,
  );
  const tail = commonTail(kept);
  if (kept.length > 1 && tail.length > 0) {
    return kept.map((words, i) => (i === kept.length - 1 ? words : words.slice(0, -tail.length)));
  }
  return kept.map((words, i) => {
    const before = kept[i - 1];
    return before !== undefined && words.length > 1 && before[0] === words[0] ? words.slice(1) : words;
  });
}

/** `name` says little: by county; by a ratio less than half of it. */
function withoutName(words: readonly string[]): readonly string[] {
  const to = words.indexOf('to');
  if (to > 0 && words.at(-1) === 'ratio') return [...words.slice(0, to), 'ratio'];
  if (words.at(-1) !== 'name' || words.length === 1) return words;
  // Of a short name `name` stays, and whose it is goes.
  const kind = words.at(-2) ?? '';
  return NAME_PART.test(kind) ? [...words.slice(0, -2).filter(isExcluded), kind, 'name'] : words.slice(0, -1);
}

/** Shorter still, where a choice would be lost: only what kind of thing each is, `date` of a transaction date. */
export function brief(listed: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const short = listed.map(withoutName).map((words) => {
    const lead = words.findIndex((word) => !/^(min|max|above|below|excluded|only)$/.test(word));
    const tail = BOUND.test(words.at(-1) ?? '') ? 2 : 1;
    return [...words.slice(0, lead), ...words.slice(Math.max(lead, words.length - tail))];
  });
  const texts = short.map((words) => words.join('_'));
  return new Set(texts).size < texts.length ? compact(listed) : short;
}

const BOUND =
  /^(name|range|prefix|suffix|contains|pattern|above|below|after|before|from|to|cm|kg|mph|f|num)$|^\d+$/;

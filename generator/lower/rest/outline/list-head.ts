import type { CatalogTable } from '../../../../contracts/catalog.ts';
import { type Noun, oneOf, withoutKey } from '../words/lexicon.ts';
import { plural, pluralValues, singular } from '../words/nouns.ts';
import type { Head } from './head.ts';
import type { Output } from './outputs.ts';
import { capital, listedColumns, prose } from './phrase.ts';
import { joinedAnd, sameWords } from './word-lists.ts';

interface Subject {
  readonly table: CatalogTable;
  readonly noun: Noun;
  /** Each row stands for many: what it holds is no single row's. */
  readonly grouped: boolean;
  /** Each row is a value that many rows of the table have: what names these names no one of them. */
  readonly values: boolean;
}

/** Says a list of rows: schools, schools with phones, superhero full names, account IDs. */
export function listHead(outputs: readonly Output[], subject: Subject | null): Head {
  const [first] = outputs;
  if (first === undefined || subject === null) return looseHead(outputs);
  const own = outputs.filter(({ table }) => table === subject.table);
  const label = own.find(({ role }) => role === 'label');
  if (label !== undefined && !subject.values) {
    const rest = outputs.filter((one) => one !== label && !(one.role === 'key' && own.includes(one)));
    return namedHead(label, rest, subject);
  }
  const [only, ...others] = outputs;
  if (only !== undefined && others.length === 0 && only.role === 'key') return keyHead(only, subject);
  return partsHead(outputs, subject);
}

/** Rows that no table gives a name to. */
function looseHead(outputs: readonly Output[]): Head {
  const lists = outputs.slice(0, 3).map(({ phrase }) => phrase.noun);
  const words = lists.length === 0 ? ['values'] : joinedAnd(lists);
  const text =
    lists.length === 0 ? 'Fixed values' : capital(listedColumns(outputs.map(({ phrase }) => phrase.text)));
  return head([words, words.slice(0, 4)], [words, words.slice(0, 4)], text, text, null);
}

/** schools, schools with phone and website, school details */
function namedHead(label: Output, rest: readonly Output[], { table, noun }: Subject): Head {
  const people = inRole(label, noun);
  const { one, many } = people;
  if (rest.length === 0) return head([many], [one], capital(prose(many)), prose(one), noun);
  const parts = rest.map((output) => withoutNoun(output, { one, many }));
  const whole = ['with', ...joinedAnd(parts)];
  const shown = rest.length > 3 || parts.flat().length > 7 ? [] : [whole];
  const write = (lead: readonly string[]) => [
    ...shown.map((tail) => [...lead, ...tail]),
    [...one, 'details'],
  ];
  const text = (lead: readonly string[]) =>
    `${prose(lead)} with ${listedColumns(rest.map((output) => (output.table === table ? output.plain.text : output.owned)))}`;
  return head(write(many), write(one), capital(text(many)), text(one), noun);
}

/** An eye colour is named by its role, not by its table. */
function inRole(label: Output, noun: Noun): Noun {
  if (label.base === null || sameWords(label.among, noun.one)) return noun;
  return { one: singular(label.among), many: plural(label.among) };
}

/** account IDs; hero IDs of a table that refers to heroes */
function keyHead({ phrase }: Output, { noun }: Subject): Head {
  const words = phrase.noun;
  const said = withoutKey(words);
  if (sameWords(words, noun.one))
    return head([noun.many], [noun.one], capital(prose(noun.many)), oneOf(noun), noun);
  const bare = sameWords(said, noun.one) || said.length === words.length;
  const key = bare && said.length < words.length ? words.slice(said.length) : words;
  const lead = bare ? noun.one : [];
  const many = bare ? [...lead, ...plural(key)] : plural(words);
  const text = `${prose(plural(key))} of ${prose(noun.many)}`;
  return head(
    [many],
    [bare ? [...lead, ...key] : words],
    capital(text),
    `${prose(key)} of a ${oneOf(noun)}`,
    noun,
  );
}

/** superhero full names, school phones and websites, school addresses */
function partsHead(outputs: readonly Output[], { table, noun, grouped, values }: Subject): Head {
  const address = isAddress(outputs);
  const parts = address ? [['address']] : outputs.map((output) => withoutNoun(output, noun, values));
  // A column that says whose it is, an ID of another table among them, needs no noun before it.
  const [first] = outputs;
  const clear = first !== undefined && !address && (says(first.phrase.noun, noun) || refersAway(first, noun));
  const lead = clear ? [] : noun.one;
  const whole = parts.map((words, i) =>
    i === 0 && clear && first !== undefined ? first.phrase.noun : words,
  );
  const write = (many: boolean) => {
    const lists = whole.map((words, i) => (many && !isCheck(outputs[i]) ? manyOf(words) : words));
    const long = [...lead, ...joinedAnd(lists)];
    const details = [...noun.one, 'details'];
    if (parts.length === 1) return [long, ...brief(long)];
    return parts.length > 3 || long.length > 9 ? [details] : [long, details];
  };
  const texts = (many: boolean) =>
    listedColumns(
      outputs.map((output) => {
        const own = values && output.role === 'label' ? output.phrase.text : output.plain.text;
        const text = output.table === table ? own : output.owned;
        return many && !isCheck(output) ? prose(manyOf(text.split(' '))) : text;
      }),
    );
  const said =
    grouped ||
    outputs.every(
      ({ plain, phrase, base, table: of }) =>
        of !== table || ((base !== null || plain !== phrase) && tells(plain.text, noun)),
    );
  const of = (people: string) => (said ? '' : ` of ${people}`);
  return head(
    write(true),
    write(false),
    `${capital(texts(true))}${of(prose(noun.many))}`,
    `${texts(false)}${of(`a ${oneOf(noun)}`)}`,
    noun,
  );
}

/** A long quantity without its second half: free meal count ratio. */
function brief(words: readonly string[]): readonly (readonly string[])[] {
  const last = words.at(-1) ?? '';
  const to = words.indexOf('to');
  return /^(ratio|percentage)s?$/.test(last) && to > 0 ? [[...words.slice(0, to), last]] : [];
}

/** The plural of a quantity, whatever is done with it: prices minus 5, differences between a price and a cost. */
function manyOf(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, i) => i > 0 && OPERATION.test(word));
  if (at < 0) return pluralValues(words);
  const [first] = words;
  // A number of times something, or something in brackets.
  const inflected = !/^(a|another|\d.*|\(.*)$/.test(first ?? '');
  return inflected ? [...pluralValues(words.slice(0, at)), ...words.slice(at)] : words;
}

const OPERATION = /^(minus|plus|times|divided|moved|joined|rounded|between|or|depending|within|over)$/;

/** Whether something holds: nothing to be put in the plural. */
function isCheck(output: Output | undefined): boolean {
  return output?.phrase.text.startsWith('whether ') ?? false;
}

function refersAway({ base, phrase }: Output, noun: Noun): boolean {
  if (base === null) return false;
  const said = withoutKey(phrase.noun);
  return said.length < phrase.noun.length && !sameWords(said, noun.one);
}

function isAddress(outputs: readonly Output[]): boolean {
  const said = outputs.map(({ phrase }) => prose(phrase.short).toLowerCase());
  return (
    said.length >= 3 && said.every((one) => /street|city|zip|state|address|country|post ?code/.test(one))
  );
}

function withoutNoun(
  { base, phrase, among, table, role }: Output,
  noun: Noun,
  values = false,
): readonly string[] {
  const words = base === null || (values && role === 'label') ? phrase.noun : among;
  const lead = noun.one.map((word) => word.toLowerCase());
  const starts = lead.every((word, i) => words[i]?.toLowerCase() === word) && words.length > lead.length;
  return starts && table !== null ? words.slice(lead.length) : words;
}

/** Whether a text says whose it is; the time of a lap time does not. */
function tells(text: string, noun: Noun): boolean {
  const words = text.split(' ');
  return says(words, noun) && (words.length > 1 || noun.one.length === 1);
}

function says(words: readonly string[], noun: Noun): boolean {
  const last = noun.one.at(-1)?.toLowerCase() ?? '';
  return words.some((word) => word.toLowerCase() === last);
}

function head(
  many: Head['many'],
  one: Head['one'],
  textMany: string,
  textOne: string,
  noun: Noun | null,
): Head {
  return { many, one, textMany, textOne, measure: false, noun, groups: null, measured: null };
}

import { singular } from './nouns.ts';

export function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.join(' ').toLowerCase() === b.join(' ').toLowerCase();
}

export function endsWith(words: readonly string[], tail: readonly string[]): boolean {
  return tail.length > 0 && sameWords(words.slice(-tail.length), tail);
}

/** Several names as one, what they share said once: eye hair and skin colour IDs. */
export function joinedAnd(lists: readonly (readonly string[])[]): readonly string[] {
  const tail = commonTail(lists);
  const lead = commonLead(lists.map((words) => words.slice(0, words.length - tail.length)));
  const middles = lists.map((words) => words.slice(lead.length, words.length - tail.length));
  return [...lead, ...conjoined(middles), ...tail];
}

function conjoined(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.flatMap((words, i) => (i > 0 && i === lists.length - 1 ? ['and', ...words] : words));
}

/** Words that all lists end with, each list keeping at least one of its own. */
export function commonTail(lists: readonly (readonly string[])[]): readonly string[] {
  return commonLead(lists.map((words) => words.toReversed())).toReversed();
}

/** Words that all lists begin with, each list keeping at least one of its own. */
function commonLead(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return [];
  let length = 0;
  while (length < first.length - 1) {
    const word = first[length];
    if (!others.every((words) => words.length > length + 1 && words[length] === word)) break;
    length++;
  }
  return first.slice(0, length);
}

/** Words as one text in lower case, to compare them. */
export function lower(words: readonly string[]): string {
  return words.join(' ').toLowerCase();
}

/** The words of a property with whose it is, unless they hold that already. */
export function qualify(noun: readonly string[], words: readonly string[]): readonly string[] {
  const last = noun.at(-1)?.toLowerCase() ?? '';
  const said = words.map((word) => word.toLowerCase());
  if (said.includes(last) || said.includes(lower(singular([last])))) return words;
  // The power name of a superpower is its superpower name.
  const [first = '', ...rest] = said;
  if (rest.length > 0 && first.length > 3 && last.endsWith(first)) return [...noun, ...words.slice(1)];
  return [...noun, ...words];
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[], conjunction = 'and'): string {
  if (items.length <= 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

/** The same with what all begin with said once: average scores in reading, math and writing. */
export function listedOnce(items: readonly string[]): string {
  const lists = items.map((item) => item.split(' '));
  const lead = commonLead(lists);
  if (lead.length < 2) return listed(items);
  return `${lead.join(' ')} ${listed(lists.map((words) => words.slice(lead.length).join(' ')))}`;
}

const FIRST = /(^| )(first ?name|forename|given ?name|fname)( \d+)?$/i;
const LAST = /(^| )(last ?name|surname|family ?name|lname)( \d+)?$/i;
const MIDDLE = /(^| )(middle ?name|middle ?initial)( \d+)?$/i;

/** Whose name part it is: what stands before and after `first name`; null if it is none. */
export function personOf(
  words: readonly string[],
): { readonly whose: readonly string[]; readonly number: string } | null {
  const said = words.join(' ');
  for (const part of [FIRST, LAST, MIDDLE]) {
    const found = said.match(part);
    if (found === null) continue;
    const whose = said.slice(0, found.index).trim();
    return { whose: whose === '' ? [] : whose.split(' '), number: (found.at(-1) ?? '').trim() };
  }
  return null;
}

/** Whether columns hold the first and the last name of people. */
export function isPersonName(columns: readonly (readonly string[])[]): boolean {
  const said = columns.map((words) => words.join(' '));
  return said.some((one) => FIRST.test(one)) && said.some((one) => LAST.test(one));
}

/** The words without what is too long to be read in a name. */
export function upTo(
  most: number,
  words: readonly string[],
  otherwise: readonly string[],
): readonly string[] {
  return words.length <= most ? words : otherwise;
}

/** Every word of the first that is in all others too, in order. */
export function commonWords(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((word) => others.every((words) => words.includes(word)));
}

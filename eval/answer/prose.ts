import { stemmer } from 'stemmer';
import type { Cell, Row } from '../../contracts/catalog.ts';
import { literalPattern } from '../../contracts/wording.ts';
import { clean, type GoldTable, isCode, quantityText, truthOf, wordsAmong } from './columns.ts';
import {
  type Decimal,
  type FoundQuantity,
  findDates,
  findNumberWords,
  findQuantities,
  kindOfDate,
  kindOfIso,
  readDate,
  readQuantity,
  toNumber,
  wholeOf,
} from './quantities.ts';
import { isRoundingOf, type Question, quantityFits } from './question.ts';
import {
  ABOUT_BEFORE,
  AGGREGATES,
  APOLOGY,
  BOUND_AFTER,
  BOUND_BEFORE,
  CONDITION,
  CURRENCIES,
  DATE_BOUND_BEFORE,
  EXAMPLE_BEFORE,
  FUNCTION_WORDS,
  HEDGE,
  LIST_GAP,
  MISSING,
  MONTHS,
  NEGATED_BEFORE,
  NOT_RECORDED,
  NOTHING_FOUND,
  NUMBER_WORDS,
  OPEN_END,
  OPEN_LIST,
  ORDINALS,
  POLITE,
  RELATED_BEFORE,
  REPORTING,
  RESERVATION,
  RETRACTION,
  SHARED,
  UNITS,
  YEAR_BOUND_BEFORE,
} from './words.ts';

/** Longer texts are not read as prose. */
const LONGEST = 6000;
const MOST_CELLS = 120;
const MOST_KNOWN = 2000;

/**
 * Whether a text states the gold: each of its values at least once, and nothing that could be another answer.
 * For numbers, that is any other number; for texts, any word that is neither the question's nor used for
 * reporting results. Phrases of the question (`more than 5 beds`) are ignored; hedged, negated and bounded
 * statements do not count as answers.
 */
export function saysGold(gold: GoldTable, text: string, question: Question): boolean {
  if (text.length > LONGEST || (gold.orderGroups !== null && isNumberedBackwards(text))) return false;
  if (saysPlainly(gold, text, question)) return true;
  const numbered = withoutOrdinals(text, gold);
  if (numbered !== text && saysPlainly(gold, numbered, question)) return true;
  const counting = countingColumn(gold);
  if (counting < 0) return false;
  // The numbers of a list are the values of such a column, or replace them.
  const labelled = text.replace(/^(\s*\d{1,3})[.)]\s/gm, '$1: ');
  return (
    saysPlainly(gold, labelled, question) ||
    (isCounted(text, gold.rows.length) && saysPlainly(withoutColumn(gold, counting), text, question))
  );
}

/** `A in the first quarter, B in the second` with numbers, if the gold has a column of integers with that name. */
function withoutOrdinals(text: string, { rows, names }: GoldTable): string {
  const labels = names
    .filter((_, i) => rows.every((row) => Number.isInteger(row[i])))
    .flatMap((each) => [...labelsOfColumn(each)])
    .filter((label) => label.length > 2);
  const isLabelled = [...text.matchAll(ORDINAL)].some(({ 0: ordinal, index }) => {
    const [, next = ''] = /^\s(\p{L}+)/u.exec(text.slice(index + ordinal.length)) ?? [];
    return labels.includes(stemmer(next.toLowerCase()));
  });
  if (!isLabelled) return text;
  return text.replace(ORDINAL, (ordinal) => String(ranksIn(ordinal)[0]));
}

/** The column that numbers the rows from 1; -1 if there is none, or no other column. */
function countingColumn({ rows, tied }: GoldTable): number {
  if (rows.length < 2 || tied.size > 0 || (rows[0]?.length ?? 0) < 2) return -1;
  return (rows[0] ?? []).findIndex((_, c) => rows.every((row, i) => row[c] === i + 1));
}

function withoutColumn(gold: GoldTable, column: number): GoldTable {
  const without = <T>(list: readonly T[]) => list.filter((_, i) => i !== column);
  return {
    ...gold,
    rows: gold.rows.map(without),
    names: without(gold.names),
    orderGroups: gold.rows.map((_, i) => i),
  };
}

/** Whether a text enumerates this many items, by numbers or by `first`, `second`, `third`. */
function isCounted(text: string, count: number): boolean {
  const numbers = [...text.matchAll(/^\s*(\d{1,3})[.)]\s/gm)].map(([, digits]) => Number(digits));
  return [numbers, ranksIn(text)].some(
    (found) => found.length === count && found.every((number, i) => number === i + 1),
  );
}

function ranksIn(text: string): number[] {
  return [...text.matchAll(ORDINAL)].map(
    ([, digits, word = '']) => Number(digits) || ORDINALS.indexOf(word.toLowerCase()) + 1,
  );
}

const ORDINAL = new RegExp(
  `(?<![\\p{L}\\d])(?:(\\d{1,3})(?:st|nd|rd|th)|(${ORDINALS.join('|')}))(?!\\p{L})`,
  'giu',
);

function saysPlainly(gold: GoldTable, text: string, question: Question): boolean {
  const [first] = gold.rows;
  const cells = [...gold.rows, ...[...gold.tied.values()].flat()].flat();
  const said = inSpellingOf(cells, withoutLabels(plainText(text, question), gold), question);
  if (first === undefined) return !isHedged(said, question) && saysNothing(said, question);
  if (gold.rows.flat().length > MOST_CELLS || cells.length > MOST_KNOWN) return false;
  const isSingle = gold.rows.length === 1 && first.length === 1;
  if (isSingle && gold.tied.size === 0 && question.isYesNo && saysTruth(cells[0] as Cell, said, question))
    return !isHedged(said, question);
  const mentions = findMentions(said, cells, gold, question);
  if (isSingle && mentions?.some(({ start }) => isOfEach(said, start, question))) return false;
  return mentions !== null && inSomeOrder(gold, mentions, withoutPhrases(said, question), question);
}

/** Without pictures, with blanks in thousands closed, years repeated, and `Q1` as `quarter 1`, unless the gold has them. */
function inSpellingOf(cells: readonly Cell[], said: string, question: Question): string {
  const texts = cells.filter((cell) => typeof cell === 'string').join('\n');
  let text = EMOJI.test(texts) ? said : said.replace(ALL_EMOJI, ' ').trim();
  for (const cell of new Set(cells)) {
    if (typeof cell === 'string' || cell === null || !THOUSANDS.test(String(cell))) continue;
    const groups = String(cell).replace(/\B(?=(?:\d{3})+$)/g, ' ');
    text = text.replace(new RegExp(`(?<![\\d.,]\\s?)${groups}(?!\\s?\\d|[.,]\\d)`, 'g'), String(cell));
  }
  if (question.words.has('quarter') && !/\bQ\d/.test(`${texts} ${question.text}`))
    text = text.replace(/\bQ(?=[1-4]\b)/g, 'quarter ');
  return withYears(text);
}

const CROSSED_OUT = /[❌✖❎✗✘🚫⛔❓❔👎]/u;
const EMOJI = /(?![✅✔✓❌✖❎🚫⛔❓❔👍👎])\p{Extended_Pictographic}[\ufe0f\u200d]*/u;
const ALL_EMOJI = new RegExp(EMOJI, 'gu');
const THOUSANDS = /^\d{4,}$/;

/** Repeats the month and year that close a list of days: `9 January and 21 May 2020`, `8–19 May 2020`. */
function withYears(text: string): string {
  const left = text
    .replace(SHARED_MONTH, '$1 $<rest>')
    .replace(SHARED_YEAR, '$1 $<year>')
    .replace(SHARED_YEAR_AFTER_MONTH, '$1, $<year>');
  return left === text ? text : withYears(left);
}

const MONTH_NAME = `(?:${[...MONTHS.keys()].join('|')})`;
const DAY_OF_MONTH = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const BETWEEN_DAYS = String.raw`[^.!?\n\d]*?`;
const SHARED_MONTH = new RegExp(
  `(?<![\\d.,/-])(${DAY_OF_MONTH})(?=(?:\\s?[–-]\\s?|,? and |, | to )${DAY_OF_MONTH} (?:of )?(?<rest>${MONTH_NAME} \\d{4})\\b)`,
  'giu',
);
const SHARED_YEAR = new RegExp(
  `(\\b${DAY_OF_MONTH} (?:of )?${MONTH_NAME})(?! \\d)(?=${BETWEEN_DAYS}${DAY_OF_MONTH} (?:of )?${MONTH_NAME} (?<year>\\d{4})\\b)`,
  'giu',
);
const SHARED_YEAR_AFTER_MONTH = new RegExp(
  `(\\b${MONTH_NAME} ${DAY_OF_MONTH})(?!\\d|,? \\d)(?=${BETWEEN_DAYS}\\b${MONTH_NAME} ${DAY_OF_MONTH},? (?<year>\\d{4})\\b)`,
  'giu',
);

/** Whether a number applies to each of several items, although the question does not ask for that. */
function isOfEach(said: string, start: number, { text }: Question): boolean {
  const [sentence = ''] = sentencesOf(said).findLast(([, from]) => from <= start) ?? [];
  return [...sentence.matchAll(/(?<!\p{L})(?:each|apiece)(?!\p{L})/giu)].some(
    ([word]) => !new RegExp(`\\b(?:${word}|every|per)\\b`, 'i').test(text),
  );
}

/** Whether the numbers of a list contradict the order in which its items stand. Nested lists begin at 1 again. */
function isNumberedBackwards(text: string): boolean {
  const numbers = [...text.matchAll(/^\s*(\d{1,3})[.)]\s/gm)].map(([, digits]) => Number(digits));
  const [first = 0] = numbers;
  return numbers.some((number, i) => number < first || (number > 1 && number < (numbers[i - 1] ?? 0)));
}

/** For a single column: removes its name before each value, as in YAML. */
function withoutLabels(said: string, { names }: GoldTable): string {
  const [own = [], ...others] = names;
  if (others.length > 0 || own.length === 0) return said;
  return said.replace(new RegExp(`^(?:${own.map(literalPattern).join('|')})\\s*[:=]\\s*`, 'gim'), '');
}

/** Whether the answer is hedged with words that the question does not use. */
function isHedged(said: string, { text }: Question): boolean {
  const asked = text.toLowerCase();
  const stems = new Set((asked.match(/\p{L}+/gu) ?? []).map(stemmer));
  // `failed` is no hedge if the question has `fail`.
  const isAsked = (hedge: string) =>
    asked.includes(hedge) || (/(?:ed|s)$/.test(hedge) && stems.has(stemmer(hedge)));
  return [...said.matchAll(HEDGE)].some(([hedge]) => hedge === '?' || !isAsked(hedge.toLowerCase()));
}

/** `No.`, `There are no such clinics.`: only that there are no results. */
function saysNothing(said: string, question: Question): boolean {
  const [all] = NOTHING_FOUND.exec(said) ?? [];
  if (all === undefined) return false;
  const others = findQuantities(withoutEchoes(said.slice(all.length), question.text));
  if (!others.every(({ start, end }) => isEcho(said.slice(all.length), start, end, question))) return false;
  const known = vocabulary(FUNCTION_WORDS, question.text);
  const asksForLack = /\b(?:no|not|never)\b/i.test(question.text);
  return (
    said
      .slice(all.length)
      .replace(/\bor (?:more|fewer|less|later|earlier)\b/gi, ' ')
      .match(/[\p{L}\p{M}]+/gu) ?? []
  ).every(
    (word) =>
      known(word) ||
      /^(?:no|none|not|rows?|results?|records?|returned|joined)$/i.test(word) ||
      (asksForLack && /^without$/i.test(word)),
  );
}

/** `Yes, …` for 1, `No, …` for 0. */
function saysTruth(cell: Cell, text: string, question: Question): boolean {
  const gold = cell === 1 ? true : cell === 0 ? false : truthOf(cell);
  const [, word = '', rest = ''] = /^(\p{L}+)(?:[.,;:!—–-]|\s|$)(.*)$/su.exec(text) ?? [];
  if (gold === null || truthOf(word) !== gold || word.length === 1) return false;
  if (/(?:^|[.!]\s+|\bor\s+)(?:yes|no)\b/i.test(rest)) return false;
  const asked = new Set(question.text.toLowerCase().match(/\p{L}+/gu));
  if ((rest.toLowerCase().match(RESERVATION) ?? []).some((each) => !asked.has(each))) return false;
  return !RETRACTION.test(rest) || (!gold && deniesTheSame(rest, question));
}

/** `No, it is not open at night`: the negated clause is the question's. */
function deniesTheSame(rest: string, { text }: Question): boolean {
  const [all, denied = ''] =
    /^\s*(?:it|they|he|she|this|that)(?:'s| is| are| was| were| does| do| did| has)? ?(?:not|n't)(?:\s+([^.!?;,]+))?[.!]?\s*$/iu.exec(
      rest,
    ) ?? [];
  const asked = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return (
    all !== undefined &&
    (denied.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => asked.has(word))
  );
}

/** Strips Markdown and LaTeX, normalizes quotes, and removes polite phrases and the question itself. */
function plainText(text: string, { input }: Question): string {
  return clean(text)
    .replace(clean(input), ' ')
    .replace(/\\boxed\{([^{}]*)\}|\\text\{([^{}]*)\}/g, '$1$2')
    .replace(/\\([%$#&_{}])/g, '$1')
    .replace(/\$([^$\n]*\d[^$\n]*)\$/g, '$1')
    .replace(/\\[()[\]]/g, '')
    .replace(/<\/?(?:answer|b|i|strong|em|code|p|[uo]l)>/g, '')
    .replace(/<(?:\/li|br ?\/?)>|<li>/g, '\n')
    .replace(/\*\*|__|`|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)/g, '')
    .replace(/^\s*(?:>\s*)*(?:[-*•·>]|\d{1,3}[.)]|#{1,6}|step \d{1,2}[.:])\s+/gim, '\n')
    .replace(/(?<![\d)]\s*)(?<!\p{L})(?:minus|negative)\s(?=[.\d])/giu, '-')
    .replace(
      /(?<![-−\d.,])(\d+(?:[.,]\d+)?\s?(?:°\s?[CF]|degrees?(?: Celsius| Fahrenheit)?)) below zero\b/gi,
      '-$1',
    )
    .replace(
      /\(?(?:rounded )?to (?:\w+) (?:decimals?|decimal places?|significant (?:figures|digits))\b\)?/gi,
      ' ',
    )
    .replace(/[“”«»„]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/(?<!\p{L})nos?\.\s?(?=\d)/giu, 'number ')
    .replace(POLITE, ' ')
    .trim()
    .replace(APOLOGY, '');
}

interface Mention {
  readonly start: number;
  readonly end: number;
  /** A gold text found verbatim. */
  readonly text?: string;
  readonly date?: string;
  readonly quantity?: FoundQuantity;
  readonly isMissing?: true;
}

/** The values mentioned in a text, in order; null if it mentions other values, or hedges one. */
function findMentions(
  said: string,
  cells: readonly Cell[],
  gold: GoldTable,
  question: Question,
): Mention[] | null {
  const texts = [...new Set(cells.filter((cell) => typeof cell === 'string').map((cell) => clean(cell)))];
  const words = wordsAmong(texts, question);
  const mentions: Mention[] = [];
  let rest = said;
  const take = (mention: Mention) => {
    mentions.push(mention);
    rest = `${rest.slice(0, mention.start)}${' '.repeat(mention.end - mention.start)}${rest.slice(mention.end)}`;
  };
  for (const text of texts.filter((each) => each !== '').sort((a, b) => b.length - a.length)) {
    const moment = kindOfDate(text);
    for (const start of places(rest, text, words.get(text.toLowerCase()) === text)) {
      const isPlural = PLURAL.test(text) && /^s(?!\p{L})/iu.test(rest.slice(start + text.length));
      const end = start + text.length + (isPlural ? 1 : 0);
      if (moment === 'time' && /^\s?[ap]\.?m\b/i.test(rest.slice(end))) continue;
      if (moment !== null && isDateInDoubt(said, start, end)) return null;
      take({ start, end, text });
    }
  }
  const dates = new Set(texts.map(readDate).filter((date) => date !== null));
  for (const { iso, start, end } of findDates(rest)) {
    if (dates.has(iso)) {
      if (isDateInDoubt(said, start, end)) return null;
      take({ start, end, date: iso });
    } else if ((dates.size > 0 || gold.rows.flat().length > 1) && !isEcho(said, start, end, question))
      return null;
    else rest = blank(rest, start, end);
  }
  if (cells.includes(null)) {
    for (const match of rest.matchAll(/(?<!\S)[\p{L}/]+(?=[\s.,;:)]|$)/gu)) {
      if (MISSING.test(match[0]))
        take({ start: match.index, end: match.index + match[0].length, isMissing: true });
    }
    for (const { index, 0: words } of missingWords(rest, gold, question))
      take({ start: index, end: index + words.length, isMissing: true });
  }
  const hasNumbers = cells.some((cell) => typeof cell === 'number' || typeof cell === 'bigint');
  const hasQuantities = texts.some((text) => quantityText(text) !== text);
  rest = withoutEchoes(rest, question.text);
  const quantities = [...findQuantities(rest), ...(hasNumbers ? spelledNumbers(rest) : [])];
  for (const quantity of quantities) {
    const { start, end } = quantity;
    const isCount =
      wholeOf(quantity) === BigInt(gold.rows.length) && (gold.rows.length > 1 || isSpelled(rest, start));
    const isOther = !equalsOne(quantity, cells, question);
    const isEchoed = (isOther || cells.length === 1) && isEcho(said, start, end, question);
    // `8 tickets promise less than 8 hours`: the other `8` is the answer.
    const isSaidBeside = () =>
      quantities.some(
        (each) =>
          each !== quantity &&
          equalsOne(each, cells, question) &&
          !isEcho(said, each.start, each.end, question),
      );
    if (isOther ? isCount || isEchoed : isEchoed && isSaidBeside()) rest = blank(rest, start, end);
    else if (hasNumbers || (hasQuantities && quantity.currency !== null)) {
      if (isInDoubt(rest, quantity, cells, question)) return null;
      take({ start, end: UNITS.has(quantity.unit ?? '') ? quantity.unitEnd : end, quantity });
    } else return null;
  }
  if (mentions.length === 0 || isHedged(rest, question) || CROSSED_OUT.test(rest)) return null;
  if (
    gold.rows.length === 1 &&
    gold.rows[0]?.length === 1 &&
    isChoice(texts, question) &&
    !isBare(rest, texts)
  )
    return null;
  if (mentions.some(({ start }) => NEGATED_BEFORE.test(said.slice(Math.max(0, start - 40), start))))
    return null;
  if (mentions.some((mention) => isRelated(mention, said, question))) return null;
  const unvalued = mentions.reduce((left, { start, end }) => blank(left, start, end), said);
  if (namesAnother(unvalued, question)) return null;
  if (mentions.some(({ start }) => EXAMPLE_BEFORE.test(said.slice(Math.max(0, start - 10), start))))
    return null;
  const isOpen = ([sentence, from]: readonly [string, number]) =>
    OPEN_LIST.test(sentence) && mentions.some(({ start }) => start >= from && start < from + sentence.length);
  if (sentencesOf(rest).some(isOpen) || (mentions.length > 1 && OPEN_END.test(rest))) return null;
  if (isConditional(rest, mentions, question)) return null;
  mentions.sort((a, b) => a.start - b.start);
  return saysNothingElse(rest, mentions, texts, gold, question) ? mentions : null;
}

/** Phrases for a missing value of a column: `no flag`, `without a flag`, `not recorded`. */
function missingWords(text: string, { rows, names }: GoldTable, question: Question): RegExpExecArray[] {
  const lacking = names.filter((_, i) => rows.some((row) => row[i] === null));
  const stems = new Set(lacking.flatMap((each) => [...labelsOfColumn(each)]));
  const others = new Set(
    names.filter((each) => !lacking.includes(each)).flatMap((each) => [...labelsOfColumn(each)]),
  );
  const named = [...text.matchAll(/(?<!\p{L})(?:no|without(?: an?)?)\s((?:\p{L}+\s)?\p{L}+)(?!\p{L})/giu)];
  return [
    ...named.filter(([, phrase = '']) => {
      const words = phrase.toLowerCase().split(/\s/);
      // A column `mag` is called the magnitude if the question does so.
      const isColumn = (word: string) =>
        stems.has(stemmer(word)) ||
        (question.words.has(word) && [...stems].some((stem) => stem.length > 2 && word.startsWith(stem)));
      return (
        words.some(isColumn) || words.every((word) => question.words.has(word) && !others.has(stemmer(word)))
      );
    }),
    ...text.matchAll(NOT_RECORDED),
  ];
}

/** Whether a text only helps to identify something else: `after Rye`, `Anna's owner`. */
function isRelated({ text, start, end }: Mention, said: string, question: Question): boolean {
  if (text === undefined || readDate(text) !== null) return false;
  const [, owned] = /^'s\s+(\p{L}+)/u.exec(said.slice(end, end + 40)) ?? [];
  if (owned !== undefined && !vocabulary(REPORTING, question.text)(owned)) return true;
  const [before] = RELATED_BEFORE.exec(said.slice(Math.max(0, start - 40), start)) ?? [];
  return before !== undefined && !question.text.toLowerCase().includes(before.trim().toLowerCase());
}

/** Whether a code has the form of one in the question but differs: `Q2` if the question has `Q3`. */
function namesAnother(rest: string, { text }: Question): boolean {
  const form = (code: string) => code.replace(/\d/g, '0');
  const asked = new Set(clean(text).match(CODE) ?? []);
  const forms = new Set([...asked].map(form));
  return (rest.match(CODE) ?? []).some((code) => !asked.has(code) && forms.has(form(code)));
}

/** A word that contains both digits and letters, or digits on both sides of a sign. */
const CODE =
  /(?<![\p{L}\d])(?=[\d/-]*\p{L}[\p{L}/-]*\d|\p{L}*\d[\d/-]*[\p{L}/-])[\p{L}\d]+(?:[/-][\p{L}\d]+)*(?![\p{L}\d])/gu;

/** Whether a value is subject to a condition that the question lacks: `83 if …`, `Unless …, 83`. */
function isConditional(rest: string, mentions: readonly Mention[], { text }: Question): boolean {
  const asked = new Set(text.toLowerCase().match(/\p{L}+/gu));
  return sentencesOf(rest).some(([sentence, from]) => {
    const values = mentions.filter(({ start }) => start >= from && start < from + sentence.length);
    if (values.length === 0) return false;
    return [...sentence.matchAll(CONDITION)].some(
      ({ 0: word, index }) =>
        !asked.has(word.toLowerCase()) &&
        // An explanation of a count in brackets is not a condition.
        sentence.lastIndexOf('(', index) <= sentence.lastIndexOf(')', index),
    );
  });
}

/** Removes names and times of the question that contain digits: `2021/22`, `11:00`, `9.5mm`, `ZE-4`. */
function withoutEchoes(text: string, question: string): string {
  const tokens = question.match(/(?=\S*\d)(?=\S*[^\d\s.,;:?!'"()])\S*[\p{L}\d]/gu) ?? [];
  const times = question.match(/\d+[:.]\d+/g) ?? [];
  return [...new Set([...tokens, ...times].map((token) => token.replace(/^["'(]+/, '')))]
    .filter((token) => token.length > 2)
    .sort((a, b) => b.length - a.length)
    .reduce(
      (left, token) =>
        left.replace(
          new RegExp(`(?<![\\d.,])${literalPattern(token)}(?!\\d|[.,]\\d)`, 'g'),
          ' '.repeat(token.length),
        ),
      text,
    );
}

/** Removes a number of the question with the following word, which labels no other number: `more than 1.4 euros`. */
function withoutPhrases(text: string, { text: question }: Question): string {
  const phrases = question.match(/(?<![\p{L}\d.,])\d[\d.,]*\s\p{L}{2,}/gu) ?? [];
  return [...new Set(phrases)].reduce(
    (left, phrase) =>
      left.replace(
        new RegExp(`(?<![\\p{L}\\d.,])${literalPattern(phrase)}(?!\\p{L})`, 'gu'),
        ' '.repeat(phrase.length),
      ),
    text,
  );
}

function blank(text: string, start: number, end: number): string {
  return `${text.slice(0, start)}${' '.repeat(end - start)}${text.slice(end)}`;
}

/** Positions at which a value occurs as a whole word; capitalized too at the beginning of a sentence. */
function places(text: string, value: string, isWord: boolean): number[] {
  const found: number[] = [];
  const isWordly = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);
  const forms = isWord
    ? [value.toLowerCase(), ...(PLURAL.test(value) ? [`${value}s`] : [])]
    : /^\p{Ll}/u.test(value)
      ? [value, value[0]?.toUpperCase() + value.slice(1)]
      : [value];
  const within = isWord ? text.toLowerCase() : text;
  for (const form of within.length === text.length ? forms : [value]) {
    for (let at = within.indexOf(form); at >= 0; at = within.indexOf(form, at + form.length)) {
      const isInWord =
        (isWordly(form[0]) && isWordly(text[at - 1])) ||
        (isWordly(form.at(-1)) && isWordly(text[at + form.length]));
      const isCapital = !isWord && form !== value && !/(?:^|[.!?\n:]\s*)$/.test(text.slice(0, at));
      // `12` is not a word in `12.5`, nor `-3` in `A-3`.
      const isInNumber =
        /\d$/.test(form) && /^(?:[.,]\d|-(?:\s|$))/.test(text.slice(at + form.length, at + form.length + 2));
      if (!isInWord && !isCapital && !isInNumber) found.push(at);
    }
  }
  return found;
}

/** Words that may stand in the plural: `apple`, not `Apple`. */
const PLURAL = /^\p{Ll}{3,}$/u;

function isSpelled(text: string, start: number): boolean {
  return /\p{L}/u.test(text[start] ?? '');
}

function spelledNumbers(text: string): FoundQuantity[] {
  const nothing = [
    ...text.matchAll(
      /(?<=(?:^|[.!?\n]\s*)(?:there (?:are|is|were|was) )?)(?:no|none)(?!\p{L})|(?<=(?:[,;]|\band)\s)none(?=\s(?:in|on|at|for|from|by)\s)/giu,
    ),
  ].map(({ 0: word, index: start }): FoundQuantity => {
    const end = start + word.length;
    const unit = /^\s(\p{L}+)/u.exec(text.slice(end, end + 40))?.[1]?.toLowerCase() ?? null;
    return { digits: 0n, scale: 0, isPercent: false, currency: null, unit, start, end, unitEnd: end };
  });
  return [...findNumberWords(text), ...nothing].filter(({ digits, start, end }) => {
    const behind = text.slice(end);
    // `One of them`, `the one that` and the `No` of `No, …` are not numbers.
    if (digits === 1n) return /^\s(?!of|that|which|with|is|was|has)\p{Ll}/u.test(behind);
    return (
      digits !== 0n ||
      /^zero$/i.test(text.slice(start, end)) ||
      !(/^(?:[,:;.!]|\s(?:one|longer|more)\b)/.test(behind) || /\b0\b/.test(text))
    );
  });
}

/** Whether the question has the same number with the same word before or after it: `than 5`, `5 beds`. */
function isEcho(said: string, start: number, end: number, { text }: Question): boolean {
  const value = said.slice(start, end).toLowerCase();
  const asked = clean(text).toLowerCase().replace(/[‘’]/g, "'");
  if (!asked.includes(value)) return false;
  const before = /(\p{L}+)[\s"'(=:]*$/u.exec(said.slice(0, start))?.[1]?.toLowerCase();
  const after = /^[\s"')%]*(\p{L}+)/u.exec(said.slice(end))?.[1]?.toLowerCase();
  if (after === 'of' || /^\s*[/–-]\s*\d/.test(said.slice(end))) return false;
  // Years, codes and other long numbers in the question are echoes anywhere.
  if (
    value.replace(/\D/g, '').length > 2 &&
    new RegExp(`(?<![\\d.,])${literalPattern(value)}(?![\\d]|[.,]\\d)`).test(asked)
  )
    return true;
  const own = literalPattern(value);
  // `grades 1 or 2` where the question has `1 and 2`.
  const [, pair] = /^\s*(?:and|or|to|,)\s*(\d+(?:\.\d+)?)(?![\d.,]*\d)/i.exec(said.slice(end)) ?? [];
  const [, first] = /(?<![\d.,])(\d+(?:\.\d+)?)\s*(?:and|or|to|,)\s*$/i.exec(said.slice(0, start)) ?? [];
  const couples = [pair && `${own}#${literalPattern(pair)}`, first && `${literalPattern(first)}#${own}`];
  if (
    couples.some(
      (couple) =>
        couple &&
        new RegExp(`(?<![\\d.,])${couple.replace('#', '\\s*(?:and|or|to|,)\\s*')}(?![\\d]|[.,]\\d)`).test(
          asked,
        ),
    )
  )
    return true;
  const near = (pattern: string) => new RegExp(`(?<![\\p{L}\\d])${pattern}(?![\\p{L}\\d])`, 'u').test(asked);
  return (
    (before !== undefined && near(`${before}[\\s"'(=:]*${own}`)) ||
    (after !== undefined && near(`${own}[\\s"')%]*${after}`))
  );
}

function equalsOne(quantity: FoundQuantity, cells: readonly Cell[], question: Question): boolean {
  return cells.some((cell) => isCell(cell, { start: 0, end: 0, quantity }, question));
}

/** Whether a number is stated as a bound, is negated or, if it must be exact, is approximate. */
function isInDoubt(
  said: string,
  { start, end, unitEnd }: FoundQuantity,
  cells: readonly Cell[],
  question: Question,
): boolean {
  const [before, after] = [said.slice(Math.max(0, start - 40), start), said.slice(end)];
  const isRange = cells.length > 1 && /(?:between|from|and|to)\s*\S?\s*$/i.test(before);
  if ((BOUND_BEFORE.test(before) && !isRange) || NEGATED_BEFORE.test(before)) return true;
  if (BOUND_AFTER.test(after) || BOUND_AFTER.test(said.slice(unitEnd))) return true;
  const [, bound] = YEAR_BOUND_BEFORE.exec(before) ?? [];
  const isYear = /^(?:1\d|20)\d\d$/.test(said.slice(start, end));
  if (bound !== undefined && isYear && !question.words.has(bound.toLowerCase())) return true;
  const isReal = cells.some((cell) => typeof cell === 'number' && !Number.isInteger(cell));
  return !isReal && ABOUT_BEFORE.test(before);
}

/** Whether a date is approximate or a bound: `around 5 May`, `before 2024-05-05`. */
function isDateInDoubt(said: string, start: number, end: number): boolean {
  return (
    DATE_BOUND_BEFORE.test(said.slice(Math.max(0, start - 40), start)) ||
    /^\s*(?:or (?:later|earlier|so|thereabouts)|at the (?:latest|earliest))(?!\p{L})/iu.test(said.slice(end))
  );
}

/** Whether the question itself lists the values as alternatives, so that the words around one may mean the other. */
function isChoice(texts: readonly string[], { input }: Question): boolean {
  return texts.some((each) =>
    new RegExp(`(?<![\\p{L}\\d])${literalPattern(each)}(?![\\p{L}\\d])`, 'iu').test(clean(input)),
  );
}

/** Whether no word beside a value could be the other value, or compare the two. */
function isBare(rest: string, texts: readonly string[]): boolean {
  const words = rest.match(/\p{L}+/gu) ?? [];
  if (texts.some((text) => /^\p{Ll}/u.test(text))) return words.every((word) => BARE.has(word.toLowerCase()));
  return words.every((word, i) =>
    i > 0 && /^\p{Lu}/u.test(word) ? false : !/^(?:than|or|over|versus|vs|compared|beats?|both)$/i.test(word),
  );
}

const BARE = new Set('the a an answer is was it are were final result results and'.split(' '));

/**
 * Whether no remaining word could be another answer, and nothing is negated. If no gold text begins with a
 * lower-case letter, lower-case words are ignored; beside numbers, all words are.
 */
function saysNothingElse(
  rest: string,
  mentions: readonly Mention[],
  texts: readonly string[],
  gold: GoldTable,
  { text, isYesNo }: Question,
): boolean {
  const asked = new Set(text.toLowerCase().match(/\p{L}+/gu));
  const asksForLack =
    /\b(?:no|not|without|never|none|nobody|neither|lack\w*|missing|fail\w*|except|exclud\w*|other than|only)\b|n't\b|\b(?:un|non)\p{L}{3}/iu.test(
      text,
    );
  if (texts.length === 0) {
    return sentencesOf(rest).every(([sentence, start]) =>
      mentions.some((each) => each.start >= start && each.start < start + sentence.length)
        ? (asksForLack ||
            isYesNo ||
            !/(?<!\p{L})(?:not|never|neither|nor)(?!\p{L})|n't(?!\p{L})/iu.test(sentence)) &&
          (gold.rows.flat().length === 1 || asked.has('or') || !/(?<!\p{L})or(?!\p{L})/iu.test(sentence))
        : !RETRACTION.test(sentence),
    );
  }
  const known = vocabulary(
    REPORTING,
    [text, ...gold.names.flat(), SPELLED[gold.rows.length] ?? ''].join(' '),
  );
  const hasRanks = gold.rows.length > 1 && ranksIn(texts.join('\n')).length === 0;
  const unranked = (sentence: string) =>
    hasRanks && ranksIn(sentence).every((rank) => rank <= gold.rows.length)
      ? sentence.replace(ORDINAL, (ordinal) => ' '.repeat(ordinal.length))
      : sentence;
  const areCapital = texts.every((each) => !/^\p{Ll}/u.test(each));
  return sentencesOf(rest).every(([sentence, start]) => {
    const hasMention = mentions.some((each) => each.start >= start && each.start < start + sentence.length);
    const isDenied = hasMention
      ? (sentence.toLowerCase().match(DENIAL) ?? []).some(
          (word) =>
            !asked.has(word) &&
            !(isYesNo && /^(?:not|no)$/.test(word)) &&
            !(asksForLack && !/^(?:or|except)$/.test(word)),
        )
      : RETRACTION.test(sentence);
    if (isDenied) return false;
    return [...unranked(sentence).matchAll(/[\p{L}\p{M}][\p{L}\p{M}\p{N}'’-]*|\p{Nd}+/gu)].every(
      ({ 0: word }) =>
        known(word) ||
        /^(?:no|not|n't|without|never|nobody)$/i.test(word) ||
        (areCapital && /^\p{Ll}/u.test(word) && !/\p{Nd}/u.test(word)),
    );
  });
}

const DENIAL =
  /(?<!\p{L})(?:not|no|never|neither|nor|except|or|without|nobody)(?!\p{L})|n't(?!\p{L})|but not/gu;

/** A test for words that belong to a set of stems or to a text. */
function vocabulary(stems: ReadonlySet<string>, text: string): (word: string) => boolean {
  const known = new Set(stems);
  for (const word of text
    .replaceAll('_', ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}']+/gu) ?? []) {
    const bare = word.replace(/'s$/, '');
    known.add(stemmer(bare)).add(bare);
  }
  const own = [...known].filter((word) => word.length >= SIMILAR);
  // `Austrian` is related to `Austria`.
  const isKin = (word: string) =>
    word.length >= SIMILAR &&
    own.some((each) => each.startsWith(word.slice(0, Math.max(SIMILAR, word.length - 2))));
  return (word) => {
    const small = word.toLowerCase().replace(/'s$/, '');
    return (
      isKin(small) ||
      known.has(small) ||
      known.has(stemmer(small)) ||
      small.split('-').every((part) => known.has(stemmer(part)))
    );
  };
}

const SIMILAR = 6;

function sentencesOf(text: string): [string, number][] {
  const found: [string, number][] = [];
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/[.!?](?=\s|$)|\n/g)) {
    found.push([text.slice(start, index), start]);
    start = index + end.length;
  }
  return [...found, [text.slice(start), start]];
}

const SPELLED = [...NUMBER_WORDS.keys()];

/** A row in prose: its own values, and a value shared with other rows, which may be elsewhere. */
interface SaidRow {
  readonly own: readonly Mention[];
  readonly shared: { readonly column: number; readonly mention: Mention } | null;
  /** The range that may contain words for its columns: from the preceding to the following value. */
  readonly from: number;
  readonly to: number;
}

/**
 * Whether the mentions are the rows, one after the other, in the gold's order if it has one. Values of one
 * type keep their order within a row. Text after the last row may repeat some of them.
 */
function inSomeOrder(
  gold: GoldTable,
  mentions: readonly Mention[],
  said: string,
  question: Question,
): boolean {
  const { rows } = gold;
  const width = rows[0]?.length ?? 0;
  const count = rows.length * width;
  if (count === 1) {
    const cells = gold.tied.size === 0 ? rows.flat() : [...gold.tied.values()].flat(2);
    return cells.some((cell) => mentions.every((each) => isCell(cell, each, question)));
  }
  if (mentions.length < count)
    return (
      width > 1 &&
      sharedLayouts(gold, mentions, said, question).some((layout) => areRows(gold, layout, said, question))
    );
  const [listed, repeated] = [mentions.slice(0, count), mentions.slice(count)];
  const end = listed.at(-1)?.end ?? 0;
  const [next] = repeated;
  if (next !== undefined && !/[.!?\n]\s/.test(said.slice(end, next.start))) return false;
  const isKnown = (mention: Mention) =>
    rows.some((row) => row.some((cell) => isCell(cell, mention, question)));
  if (!repeated.every(isKnown)) return false;
  if (width === 1 && listed.some((_, i) => isGap(listed, i, said, question))) return false;
  const layout = rows.map((_, r) => ({
    own: listed.slice(r * width, (r + 1) * width),
    shared: null,
    from: listed[r * width - 1]?.end ?? 0,
    to: listed[(r + 1) * width]?.start ?? said.length,
  }));
  return areRows(gold, layout, said, question);
}

function areRows(gold: GoldTable, layout: readonly SaidRow[], said: string, question: Question): boolean {
  const { rows, orderGroups } = gold;
  const groups = orderGroups ?? rows.map(() => 0);
  const left = [
    ...rows
      .map((row, i) => ({ row, group: groups[i] as number }))
      .filter(({ group }) => !gold.tied.has(group)),
    ...[...gold.tied].flatMap(([group, tied]) => tied.map((row) => ({ row, group }))),
  ];
  return layout.every(({ own, shared, from, to }, r) => {
    // Other rows are blanked out, which keeps positions.
    const around = blank(blank(said, 0, from), to, said.length);
    const column = shared?.column ?? -1;
    const names = gold.names.filter((_, i) => i !== column);
    const at = left.findIndex(
      ({ row, group }) =>
        group === groups[r] &&
        (shared === null || isCell(row[column] ?? null, shared.mention, question)) &&
        isRow(
          row.filter((_, i) => i !== column),
          own,
          around,
          { ...gold, names },
          question,
        ),
    );
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/**
 * The ways in which rows can share the values of one column: each value precedes its rows (`fines: 158 in 2023
 * and 131 in 2024`), or follows them with a marker (`A and B, 3 each`).
 */
function sharedLayouts(
  { rows }: GoldTable,
  mentions: readonly Mention[],
  said: string,
  question: Question,
): SaidRow[][] {
  const width = rows[0]?.length ?? 0;
  return (rows[0] ?? []).flatMap((_, column) => {
    const isShared = (mention: Mention) =>
      rows.some((row) => isCell(row[column] ?? null, mention, question)) &&
      !rows.some((row) => row.some((cell, i) => i !== column && isCell(cell, mention, question)));
    return [true, false].flatMap((isBefore) => {
      const layout: SaidRow[] = [];
      let start = 0;
      while (start < mentions.length) {
        const rest = mentions.slice(start);
        const found = rest.findIndex((mention, i) => (i > 0 || !isBefore) && isShared(mention));
        const length = found < 0 ? rest.length : isBefore ? found : found + 1;
        const group = rest.slice(0, length);
        const shared = isBefore ? group[0] : group.at(-1);
        const own = isBefore ? group.slice(1) : group.slice(0, -1);
        if (shared === undefined || !isShared(shared) || own.length === 0 || own.length % (width - 1) > 0)
          return [];
        const [first, last] = [group[0] as Mention, group.at(-1) as Mention];
        const next = mentions[start + length]?.start ?? said.length;
        const needsWord = own.length > width - 1 && (!isBefore || shared.quantity !== undefined);
        const [sentence = ''] =
          /[^.!?\n;]*$/.exec(said.slice(mentions[start - 1]?.end ?? 0, first.start)) ?? [];
        const [ending = ''] = /^[^.!?\n;]*/.exec(said.slice(last.end, next)) ?? [];
        if (needsWord && !SHARED.test(`${sentence}${unvalued(said, group)}${ending}`)) return [];
        for (let at = 0; at < own.length; at += width - 1) {
          const chunk = own.slice(at, at + width - 1);
          const before = mentions[mentions.indexOf(chunk[0] as Mention) - 1]?.end ?? 0;
          const behind = mentions[mentions.indexOf(chunk.at(-1) as Mention) + 1]?.start ?? said.length;
          layout.push({ own: chunk, shared: { column, mention: shared }, from: before, to: behind });
        }
        start += length;
      }
      return layout.length === rows.length ? [layout] : [];
    });
  });
}

/** The text between mentions. */
function unvalued(said: string, mentions: readonly Mention[]): string {
  return mentions.map(({ start }, i) => said.slice(mentions[i - 1]?.end ?? start, start)).join(' ');
}

/** Whether the text between two list items is more than a separator, or words that give the second its place. */
function isGap(listed: readonly Mention[], place: number, said: string, question: Question): boolean {
  const [before, item, behind] = [listed[place - 1], listed[place], listed[place + 1]];
  if (before?.text === undefined || item === undefined) return false;
  const gap = said.slice(before.end, item.start);
  const areRanks = (text: string, rank: number) => ranksIn(text).every((each) => each === rank);
  if (LIST_GAP.test(areRanks(gap, place + 1) ? gap.replace(ORDINAL, ' ') : gap)) return false;
  // `A has the most, followed by B`, `A is the first and the second is B`, `A has the most and B the second most`.
  const [, clause = '', link = ''] =
    /^([^.!?;\n]*?)((?:[,;]|\s(?:and|then|while|followed by)(?!\p{L}))[^,;.!?\n]*)$/u.exec(gap) ?? [];
  const [after = ''] = /^(?:(?!\sand\s)[^,;.!?\n])*/.exec(said.slice(item.end, behind?.start)) ?? [];
  const ranks = ranksIn(link + after);
  const isNext = place === 1 && ranks.length === 0 && /(?:followed by|then)\s+(?:the\s)?["']?$/.test(link);
  const isPlaced = isNext || (ranks.length === 1 && ranks[0] === place + 1);
  const words = `${clause} ${link.replace(/followed by|\b(?:and|then|while)\b/g, ' ')}`.replace(ORDINAL, ' ');
  const isKnown = (word: string) => question.words.has(word.toLowerCase()) || LINKS.has(word.toLowerCase());
  return !(isPlaced && areRanks(clause, place) && (words.match(/[\p{L}\p{N}]+/gu) ?? []).every(isKnown));
}

const LINKS = new Set('is are was were has had the with one'.split(' '));

/**
 * Whether mentions form a row. Values of one type are in the row's order, or have an adjacent word that
 * identifies their column. For numbers, such words take precedence over the order: `7 ingredients, 27 of them
 * organic`.
 */
function isRow(
  row: Row,
  chunk: readonly Mention[],
  around: string,
  gold: GoldTable,
  question: Question,
): boolean {
  const codes = codesOf(gold);
  const typeOf = (cell: Cell) => typeOfCell(cell, codes);
  const typeOfMention = (mention: Mention) => typeOfMentioned(mention, codes);
  const labelled = labelsOf(row, chunk, around, gold, codes);
  const numbers = new Map([...labelled].filter(([i]) => typeOf(row[i] as Cell) === 'number'));
  if (
    labelled.size === 0 &&
    row.filter((cell) => typeof cell === 'number').length > 1 &&
    isTurned(around, question)
  )
    return false;
  return [numbers, labelled].some((labels) => {
    const left = chunk.filter((mention) => ![...labels.values()].includes(mention));
    return row.every((cell, i) => {
      const at = left.findIndex((mention) => typeOfMention(mention) === typeOf(cell));
      const mention = labels.get(i) ?? (at < 0 ? undefined : left.splice(at, 1)[0]);
      return (
        mention !== undefined &&
        isCell(cell, mention, question) &&
        !isOtherMoney(mention, gold.names[i] ?? [])
      );
    });
  });
}

/** Whether the question's words are in reverse order: `fat …, protein …` for `protein and fat`. */
function isTurned(text: string, { input }: Question): boolean {
  const asked: readonly string[] = input.toLowerCase().match(/\p{L}+/gu) ?? [];
  const said: readonly string[] = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isOnce = (list: readonly string[], word: string) => list.indexOf(word) === list.lastIndexOf(word);
  const shared = said.filter(
    (word) =>
      asked.includes(word) && isOnce(said, word) && isOnce(asked, word) && !REPORTING.has(stemmer(word)),
  );
  const places = shared.map((word) => asked.indexOf(word));
  return places.length > 1 && places.every((place, i) => i === 0 || place < (places[i - 1] as number));
}

/** Whether a number has a different currency from the one in its column's name. */
function isOtherMoney({ quantity }: Mention, names: readonly string[]): boolean {
  const own = names.flatMap((name) =>
    (name.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) => CURRENCIES.get(word) ?? []),
  );
  const [currency, perUnit] = [
    quantity?.currency ?? null,
    names.some((name) => /(?<!\p{L})c(?:t|ents?)?\//iu.test(name)),
  ];
  if (currency === null) return false;
  // A column of cents may be answered in the currency's main unit.
  return perUnit ? currency !== 'CENT' : own.some((code) => code !== 'CENT') && !own.includes(currency);
}

type CellType = 'number' | 'text' | 'code' | 'date' | 'time' | 'money';

function typeOfCell(cell: Cell, codes: ReadonlySet<string>): CellType {
  if (cell === null) return 'text';
  if (typeof cell !== 'string') return 'number';
  const text = clean(cell);
  return kindOfDate(text) ?? (quantityText(text) !== text ? 'money' : codes.has(text) ? 'code' : 'text');
}

/** The values of code columns that occur in no other column, and so identify their column. */
function codesOf({ rows, tied }: GoldTable): ReadonlySet<string> {
  const all = [...rows, ...[...tied.values()].flat()];
  const codes = new Set<string>();
  for (const i of (rows[0] ?? []).keys()) {
    const texts = all.flatMap((row) => (typeof row[i] === 'string' ? [clean(row[i])] : []));
    const found = texts.filter(isCode);
    if (found.length > 0 && found.length < texts.length) return new Set();
    for (const text of found) codes.add(text);
  }
  return codes;
}

function typeOfMentioned({ text, date, quantity }: Mention, codes: ReadonlySet<string>): CellType {
  if (text !== undefined) return typeOfCell(text, codes);
  return date !== undefined ? kindOfIso(date) : quantity !== undefined ? 'number' : 'text';
}

/** For columns that share their type with another: the mention whose clause contains a word for the column. */
function labelsOf(
  row: Row,
  chunk: readonly Mention[],
  around: string,
  { names }: GoldTable,
  codes: ReadonlySet<string>,
): Map<number, Mention> {
  const typeOf = (cell: Cell) => typeOfCell(cell, codes);
  const labels = row.map((_, i) => labelsOfColumn(names[i] ?? []));
  const votes = new Map<number, Mention>();
  for (const [i, cell] of row.entries()) {
    const rivals = row.flatMap((other, j) => (j !== i && typeOf(other) === typeOf(cell) ? [j] : []));
    if (rivals.length === 0) continue;
    const candidates = chunk.filter((mention) => typeOfMentioned(mention, codes) === typeOf(cell));
    const theirs = new Set(rivals.flatMap((j) => [...(labels[j] as Set<string>)]));
    const own = new Set([...(labels[i] as Set<string>)].filter((stem) => !theirs.has(stem)));
    const nearest = nearestTo(own, candidates, around);
    if (nearest !== undefined) votes.set(i, nearest);
    // An amount of money is not a count.
    const counts = rivals.filter((j) => isCount(names[j] ?? []));
    const [money, ...others] = candidates.filter(({ quantity }) => quantity?.currency != null);
    if (
      counts.length === rivals.length &&
      !isCount(names[i] ?? []) &&
      money !== undefined &&
      others.length === 0
    )
      votes.set(i, money);
  }
  const chosen = [...votes.values()];
  return chosen.some((mention, i) => chosen.indexOf(mention) !== i) ? new Map() : votes;
}

function isCount(names: readonly string[]): boolean {
  return names.some((name) => /^count\s*\(/i.test(name));
}

/** Stems of the words in a column's names, and of words for its aggregate. */
function labelsOfColumn(names: readonly string[]): Set<string> {
  const words = names.flatMap(
    (name) =>
      name
        .replaceAll('_', ' ')
        .toLowerCase()
        .match(/\p{L}+/gu) ?? [],
  );
  return new Set(words.flatMap((word) => [word, ...(AGGREGATES.get(word) ?? [])]).map(stemmer));
}

/** The nearest mention in the same clause as one of the words; undefined if there is none, or it is ambiguous. */
function nearestTo(
  stems: ReadonlySet<string>,
  mentions: readonly Mention[],
  text: string,
): Mention | undefined {
  const found = new Set<Mention>();
  for (const { 0: word, index } of text.matchAll(/\p{L}{2,}/gu)) {
    if (!stems.has(stemmer(word.toLowerCase()))) continue;
    if (mentions.some(({ start, end }) => start <= index && index < end)) continue;
    const between = ({ start, end }: Mention) =>
      index < start ? text.slice(index + word.length, start) : text.slice(end, index);
    const [nearest] = mentions
      .filter((mention) => !CLAUSE_END.test(between(mention)))
      // `12 averaging 3.5`: of two numbers as near, a participle labels the one behind it.
      .sort(
        (a, b) => between(a).length - between(b).length || (word.endsWith('ing') ? b.start - a.start : 0),
      );
    if (nearest !== undefined) found.add(nearest);
  }
  const [only, ...others] = found;
  return others.length === 0 ? only : undefined;
}

const CLAUSE_END = /[\n;,.!?](?=\s)|\n|\s(?:and|but|while|whereas)\s/;

function isCell(cell: Cell, { text, date, quantity, isMissing }: Mention, question: Question): boolean {
  if (cell === null) return isMissing === true;
  if (typeof cell === 'string' && quantity !== undefined) return sameQuantity(clean(cell), quantity);
  if (typeof cell === 'string')
    return text === clean(cell) || (date !== undefined && date === readDate(clean(cell)));
  return (
    quantity !== undefined &&
    quantityFits(quantity, question).some((value) => isNumber(cell, value, question))
  );
}

function sameQuantity(gold: string, quantity: FoundQuantity): boolean {
  const own = readQuantity(gold);
  return own !== null && own.currency === quantity.currency && toNumber(own) === toNumber(quantity);
}

function isNumber(gold: number | bigint, value: Decimal, question: Question): boolean {
  const whole = wholeOf(value);
  if (typeof gold === 'bigint' || Number.isSafeInteger(gold)) {
    if (whole !== null) return whole === BigInt(gold);
    return question.unasked !== null && typeof gold === 'number' && isRoundingOf(gold, value, question);
  }
  return isRoundingOf(gold, value, question) || toNumber(value) === gold;
}

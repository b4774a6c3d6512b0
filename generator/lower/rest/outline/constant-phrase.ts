import type { Binary, Expr, Literal } from '../../../sql/index.ts';
import { numberLiteral } from './patterns.ts';
import { type Phrase, plainPhrase, prose, reworded } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';

/** A number that a query is built with, or one that a user chooses in arithmetic. */
interface Constant {
  readonly text: string;
  /** In names; none where it must not be told. */
  readonly words: readonly string[];
}

/** One side of an arithmetic operation: a number is said as what it is. */
export function operandPhrase(expr: Expr, saying: Saying): Phrase {
  const literal = numberLiteral(expr);
  if (literal === null) return phraseOf(expr, saying);
  const { text, words } = constantOf(literal, saying);
  return { ...plainPhrase(words.length === 0 ? ['number'] : words, text), simple: false };
}

function constantOf(literal: Literal, { speaker, choiceOf, nameOf }: Saying): Constant {
  const choice = choiceOf?.get(literal);
  if (choice !== undefined) return { text: nameOf ? `\`${nameOf(choice)}\`` : 'a given number', words: [] };
  const written = literal.type === 'real' ? literal.text.replace(/\.0*$/, '') : String(literal.value);
  if (!speaker.lexicon.mayTell(written)) return { text: 'a fixed number', words: [] };
  return { text: written, words: written.startsWith('-') ? ['minus', written.slice(1)] : [written] };
}

/** An operation with a number: number of schools divided by 12, age plus 5, 1 minus ratio of goals to shots. */
export function constantPhrase({ op, left, right }: Binary, saying: Saying): Phrase | null {
  const [first, second] = [numberLiteral(left), numberLiteral(right)];
  const number = second ?? first;
  if (number === null || (first !== null && second !== null)) return null;
  const of = phraseOf(second === null ? right : left, saying);
  if (op === '*' && Number(number.value) === 100) {
    const percentage = percentageOf(of);
    if (percentage !== null) return percentage;
  }
  if (second !== null) {
    const unit = inUnit(of, op, Number(number.value));
    if (unit !== null) return unit;
  }
  return operated(op, of, { ...constantOf(number, saying), literal: number, last: second !== null });
}

interface Operand extends Constant {
  readonly literal: Literal;
  /** Whether it stands on the right. */
  readonly last: boolean;
}

function operated(op: Binary['op'], of: Phrase, { text, words, literal, last }: Operand): Phrase {
  const inner = enclosed(of);
  const told = words.length > 0;
  switch (op) {
    case '*':
      return changed(of, `${text} times ${inner}`, told ? ['times', ...words] : null);
    case '/':
      if (!last) return reversed(of, `${text} divided by ${inner}`, literal, words, 'divided by');
      return changed(
        of,
        of.simple || literal.type !== 'integer' ? `${inner} divided by ${text}` : partText(of, text, told),
        told ? ['divided', 'by', ...words] : null,
      );
    case '+':
      return changed(of, `${inner} plus ${text}`, told ? ['plus', ...words] : null);
    case '-':
      if (!last) return reversed(of, `${text} minus ${inner}`, literal, words, 'minus');
      return changed(of, `${inner} minus ${text}`, told ? ['minus', ...words] : null);
    case '%':
      return changed(of, `remainder of ${last ? inner : text} divided by ${last ? text : inner}`, [
        'remainder',
      ]);
    default:
      return changed(of, `bits of ${of.text}`, ['bits']);
  }
}

/** 12th part of number of schools with a known name */
function partText(of: Phrase, text: string, told: boolean): string {
  return `${told ? `1/${text}` : text.replace('number', 'part')} of ${enclosed(of)}`;
}

/** A number at the beginning of a name, which is never a digit. */
function leadOf(literal: Literal, words: readonly string[]): readonly string[] {
  if (words.length === 0) return ['number'];
  const word = SMALL[Number(literal.value)];
  return word === undefined ? ['number', ...words] : [word];
}

const SMALL = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** In brackets where it could be taken apart. */
export function enclosed({ text }: Phrase): string {
  return / (plus|minus|times|divided by|and) /.test(text) && !text.startsWith('(') ? `(${text})` : text;
}

/** A quantity that is no longer itself; `tail` tells in names what became of it, null where that must not be told. */
function changed(of: Phrase, text: string, tail: readonly string[] | null): Phrase {
  const change = (words: readonly string[]) => {
    // A name says the first of several operations.
    if (words.some((word) => /^(times|plus|minus|divided)$/.test(word))) return words;
    return tail === null ? ['scaled', ...words] : [...words, ...tail];
  };
  const counted = of.scale === 'count' ? { ...of, head: of.noun, short: of.noun } : of;
  const scale = of.scale === 'date' ? 'date' : 'number';
  return reworded({ ...counted, scale, simple: false }, change, text);
}

function reversed(
  of: Phrase,
  text: string,
  literal: Literal,
  number: readonly string[],
  operation: string,
): Phrase {
  const lead = [...leadOf(literal, number), ...operation.split(' ')];
  return { ...plainPhrase([...lead, ...of.noun], text), short: [...lead, ...of.short], simple: false };
}

/** A ratio, a share or a change times 100; null for anything else. */
export function percentageOf(of: Phrase): Phrase | null {
  if (!/^(share|ratio|relative)\b/.test(of.text)) return null;
  const change = (words: readonly string[]) => {
    if (words[0] === 'share') return ['percentage', ...words.slice(1)];
    return words.at(-1) === 'ratio' ? [...words.slice(0, -1), 'percentage'] : words;
  };
  return reworded(of, change, of.text.replace(/^(share|ratio|relative)\b/, 'percentage'));
}

/** What a duration becomes when it is multiplied or divided. */
const UNITS: readonly (readonly [from: string, op: Binary['op'], by: number, to: string])[] = [
  ['days', '*', 24, 'hours'],
  ['days', '*', 1440, 'minutes'],
  ['days', '*', 86_400, 'seconds'],
  ['days', '/', 7, 'weeks'],
  ['days', '/', 30, 'months'],
  ['days', '/', 365, 'years'],
  ['days', '/', 365.25, 'years'],
  ['seconds', '/', 60, 'minutes'],
  ['seconds', '/', 3600, 'hours'],
  ['seconds', '/', 86_400, 'days'],
];

/** A duration in another unit; null for anything else. */
function inUnit(of: Phrase, op: Binary['op'], by: number): Phrase | null {
  const words = of.text.split(' ');
  const found = UNITS.find(([from, sign, number]) => sign === op && number === by && words.includes(from));
  if (found === undefined) return null;
  const [from, , , unit] = found;
  if (
    unit === 'years' &&
    /^days since (?!earliest|latest|previous|next).*(birth|\bdob\b|\bborn\b)/i.test(of.text)
  )
    return plainPhrase(['age']);
  const change = (list: readonly string[]) => list.map((word) => (word === from ? unit : word));
  return reworded(of, change, prose(words.with(words.indexOf(from), unit)));
}

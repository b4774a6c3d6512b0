import { type Call, type Expr, exprsWithin } from '../../../sql/index.ts';
import { joinedPhrase } from './arithmetic-phrase.ts';
import { enclosed } from './constant-phrase.ts';
import { compactFormat, datePart } from './date-parts.ts';
import { bare, numberLiteral } from './patterns.ts';
import { FIXED, listed, type Phrase, plainPhrase, reworded } from './phrase.ts';
import { firstColumn, phraseOf, type Saying } from './phrase-of.ts';
import { shiftedPhrase } from './shifted-phrase.ts';
import { isDate } from './speaker.ts';

/** open year, length of title, absolute difference; functions that only change the form of a value are not said. */
export function callPhrase(expr: Call, saying: Saying): Phrase {
  if (isConstant(expr)) return FIXED;
  const found = datePart(expr, (of) => writtenAs(of, saying));
  if (found !== null) {
    const of = shiftedPhrase(phraseOf(found.of, saying), found.modifiers, saying);
    const moved = found.modifiers.length > 0 && /^(date|time)$/.test(found.part);
    return moved ? of : partPhrase(found.part, of);
  }
  const [first] = expr.args;
  if (first === undefined) return plainPhrase([expr.name.replace(/[^a-z0-9]+/g, ' ').trim() || 'value']);
  switch (expr.name) {
    case 'substr':
    case 'substring':
      return piecePhrase(expr, firstColumn(first, saying) ?? phraseOf(first, saying));
    case 'max':
    case 'min': {
      const all = listed(expr.args.map((arg) => phraseOf(arg, saying).text));
      const of = firstColumn(expr, saying) ?? phraseOf(first, saying);
      return { ...of, text: `${expr.name === 'max' ? 'greatest' : 'least'} of ${all}` };
    }
    case 'coalesce':
    case 'ifnull':
      return defaultPhrase(expr, saying);
    case 'nullif': {
      const of = phraseOf(first, saying);
      return { ...of, text: `${of.text} other than a fixed value`, simple: false };
    }
    case 'printf':
    case 'format':
      return joinedPhrase(varying(expr.args.slice(1)), saying);
    case 'concat':
    case 'concat_ws':
      return joinedPhrase(varying(expr.args), saying);
    default:
      return namedPhrase(expr, FORMS.test(expr.name), phraseOf(first, saying));
  }
}

/** Whether a function is given nothing but fixed values; without a format in it strftime answers the text itself. */
function isConstant(expr: Call): boolean {
  const args =
    expr.name === 'strftime' && expr.args[0]?.kind !== 'literal' ? expr.args.slice(0, 1) : expr.args;
  const parts = args.flatMap(exprsWithin);
  return (
    parts.length > 0 &&
    parts.every(
      (part) => (part.kind === 'literal' && !part.pinned) || part.kind === 'call' || part.kind === 'unary',
    )
  );
}

function varying(args: readonly Expr[]): readonly Expr[] {
  return args.filter((arg) => bare(arg).kind !== 'literal');
}

/** Functions after which a value is still what it was, in another form. */
const FORMS =
  /^(round|lower|upper|trim|ltrim|rtrim|replace|floor|ceil|ceiling|trunc|quote|likely|unlikely|json|json_extract|iif)$/;

/** What a function makes of a value, where that is another value. */
const MADE: Readonly<Record<string, readonly [tail: string, text: string]>> = {
  abs: ['absolute', 'absolute'],
  length: ['length', 'length of'],
  instr: ['position', 'position in'],
  typeof: ['type', 'storage type of'],
  sqrt: ['square root', 'square root of'],
  pow: ['power', 'power of'],
  power: ['power', 'power of'],
  ln: ['logarithm', 'logarithm of'],
  log: ['logarithm', 'logarithm of'],
  log10: ['logarithm', 'logarithm of'],
  hex: ['hex digits', 'hex digits of'],
  unicode: ['code point', 'code point of'],
};

function namedPhrase({ name, args }: Call, isForm: boolean, of: Phrase): Phrase {
  if (isForm) return of;
  const word = name.replace(/[^a-z0-9]+/g, ' ').trim();
  const isSquare =
    /^pow(er)?$/.test(name) && Number(numberLiteral(args[1] ?? (args[0] as Expr))?.value) === 2;
  const [tail, text] = isSquare ? ['squared', 'square of'] : (MADE[name] ?? [word, `${word} of`]);
  if (name === 'abs') {
    return reworded({ ...of, head: of.noun }, (words) => [tail, ...words], `${text} ${of.text}`);
  }
  return plainPhrase([...of.noun, ...tail.split(' ')], `${text} ${enclosed(of)}`);
}

/** The first letter of a name is its initial. */
function piecePhrase({ args }: Call, of: Phrase): Phrase {
  const [start, length] = args.slice(1).map((arg) => (arg.kind === 'literal' ? Number(arg.value) : null));
  if (start === 1 && length === 1) {
    const add = (words: readonly string[]) => [...words, 'initial'];
    return { ...plainPhrase(add(of.noun), `first letter of ${of.text}`, 'text'), short: add(of.short) };
  }
  return { ...of, text: `part of ${of.text}`, scale: 'text' };
}

/** The first of several that is known. */
function defaultPhrase({ args }: Call, saying: Saying): Phrase {
  const phrases = varying(args).map((arg) => phraseOf(arg, saying));
  const [first, ...others] = phrases;
  if (first === undefined) return phraseOf(args[0] as Expr, saying);
  const rest = others.map(({ text }) => `${text} where that is missing`);
  return rest.length === 0 ? first : { ...first, text: listed([first.text, ...rest], 'or'), simple: false };
}

/** The year of an open date is the open year, that of a date of birth the birth year. */
export function partPhrase(part: string, of: Phrase): Phrase {
  const stem = (words: readonly string[]) => {
    if (words.at(-1)?.toLowerCase() === part) return words;
    const kept = words.filter((word) => !/^(date|time|datetime|timestamp)$/i.test(word));
    const own = kept[0]?.toLowerCase() === 'of' ? kept.slice(1) : kept;
    return own.some((word) => word.toLowerCase() === part) ? [part] : [...own, part];
  };
  const scale = part === 'date' ? 'date' : 'number';
  const noun = stem(of.noun);
  const text = of.simple ? noun.join(' ') : `${part} of ${of.text}`;
  return { ...plainPhrase(noun, text, scale), short: stem(of.short) };
}

/** Whether an expression is a moment in time, so that its first four letters are a year. */
export function isDateExpr(expr: Expr, { speaker }: Saying): boolean {
  const base = speaker.origins.baseColumn(bare(expr));
  return base !== null && isDate(base.column);
}

/** How a moment in time is written, by its column: YYYY-MM-DD, YYYYMM; '' for what is none. */
export function writtenAs(expr: Expr, saying: Saying): string {
  if (isDateExpr(expr, saying)) return 'YYYY-MM-DD HH:MM:SS';
  const base = saying.speaker.origins.baseColumn(bare(expr));
  return base === null ? '' : compactFormat(base.column);
}

import type { Call, Expr } from '../../../sql/index.ts';
import { datePart } from './date-parts.ts';
import { bare } from './patterns.ts';
import { listed, type Phrase, plainPhrase } from './phrase.ts';
import { firstColumn, phraseOf, type Saying } from './phrase-of.ts';
import { isDate } from './speaker.ts';

/** open year, length of title; functions that only change the form of a value are not said. */
export function callPhrase(expr: Call, saying: Saying): Phrase {
  const found = datePart(expr, (of) => isDateExpr(of, saying));
  if (found !== null) return partPhrase(found.part, phraseOf(found.of, saying));
  const [first] = expr.args;
  if (first === undefined) return plainPhrase([expr.name.replace(/[^a-z0-9]+/g, ' ').trim() || 'value']);
  const of = firstColumn(expr, saying) ?? phraseOf(first, saying);
  switch (expr.name) {
    case 'length':
      return plainPhrase([...of.noun, 'length'], `length of ${of.text}`);
    case 'instr':
      return plainPhrase([...of.noun, 'position'], `position in ${of.text}`);
    case 'substr':
    case 'substring':
      return { ...of, text: `part of ${of.text}`, scale: 'text' };
    case 'max':
    case 'min': {
      const all = listed(expr.args.map((arg) => phraseOf(arg, saying).text));
      return { ...of, text: `${expr.name === 'max' ? 'greatest' : 'least'} of ${all}` };
    }
    default:
      return of;
  }
}

/** The year of an open date is the open year, that of a date of birth the birth year. */
function partPhrase(part: string, of: Phrase): Phrase {
  const stem = (words: readonly string[]) => {
    if (words.at(-1)?.toLowerCase() === part) return words;
    const kept = words.filter((word) => !/^(date|time|datetime|timestamp)$/i.test(word));
    const own = kept[0]?.toLowerCase() === 'of' ? kept.slice(1) : kept;
    return [...own, part];
  };
  const noun = stem(of.noun);
  const scale = part === 'date' ? 'date' : 'number';
  return { ...plainPhrase(noun, noun.join(' '), scale), short: stem(of.short) };
}

/** Whether an expression is a moment in time, so that its first four letters are a year. */
export function isDateExpr(expr: Expr, { speaker }: Saying): boolean {
  const base = speaker.origins.baseColumn(bare(expr));
  return base !== null && isDate(base.column);
}

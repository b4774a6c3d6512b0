import type { Expr } from '../../../sql/index.ts';
import { bare } from './patterns.ts';
import { type Phrase, reworded } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';

/** A moment in time moved by the modifiers of a date function: order date plus 7 days, start of the month of it. */
export function shiftedPhrase(of: Phrase, modifiers: readonly Expr[], saying: Saying): Phrase {
  return modifiers.reduce((moment, modifier) => shifted(moment, modifier, saying), of);
}

function shifted(of: Phrase, modifier: Expr, saying: Saying): Phrase {
  const inner = bare(modifier);
  if (inner.kind !== 'literal') {
    const by = phraseOf(inner, saying);
    return moved(of, `${of.text} moved by ${by.text}`, ['moved', 'by', ...by.noun]);
  }
  const written = String(inner.value).trim().toLowerCase();
  if (FORMS.test(written)) return of;
  const start = written.match(/^start of (day|month|year)$/)?.[1];
  if (start !== undefined) return moved(of, `first moment of the ${start} of ${of.text}`, [start, 'start']);
  if (/^weekday \d$/.test(written)) return moved(of, `next fixed weekday from ${of.text}`, ['weekday']);
  const [, sign, number, unit] =
    written.match(/^([+-]?)\s*(\d+(?:\.\d+)?)\s*(day|hour|minute|second|month|year)s?$/) ?? [];
  if (number === undefined || unit === undefined)
    return moved(of, `${of.text} moved by a fixed time`, ['moved']);
  const operation = sign === '-' ? 'minus' : 'plus';
  const units = number === '1' ? unit : `${unit}s`;
  return saying.speaker.lexicon.mayTell(number)
    ? moved(of, `${of.text} ${operation} ${number} ${units}`, [operation, number, units])
    : moved(of, `${of.text} ${operation} a fixed number of ${unit}s`, [operation, `${unit}s`]);
}

/** Whether a modifier of a date function leaves the moment where it is. */
export function isStill(modifier: Expr): boolean {
  const inner = bare(modifier);
  return inner.kind === 'literal' && FORMS.test(String(inner.value).trim().toLowerCase());
}

/** Modifiers that only tell how a moment is written. */
const FORMS = /^(auto|unixepoch|julianday|subsec|subsecond|localtime|utc|ceiling|floor)$/;

function moved(of: Phrase, text: string, tail: readonly string[]): Phrase {
  const date: Phrase = { ...of, head: of.noun, scale: 'date', simple: false };
  return reworded(date, (words) => [...words, ...tail], text);
}

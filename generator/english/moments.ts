import type { Age, DatePart, Shift } from './clause.ts';
import { fixedText, isPlain, joinTexts, type NounPhrase, noun, singularText } from './noun-phrase.ts';
import type { Realizer } from './realizer.ts';

/** The year of an opening date is the opening year, that of a date of birth the birth year. */
export function datePartNoun({ part, of }: DatePart, r: Realizer): NounPhrase {
  const inner = r.noun(of);
  const scale = part === 'date' || part === 'month' || part === 'year' ? part : 'number';
  if (of.kind !== 'property' || !isPlain(inner)) {
    return noun(part, { tail: `of ${singularText(inner)}`, owner: inner.owner, scale });
  }
  // The day of a moment with a time of day is not the moment itself.
  const timed = part === 'date' && /^\d{4}-\d{2}-\d{2}[ T]\d/.test(String(of.base?.column.statistics.max));
  return { ...inner, head: timed ? dayWords(inner.head) : partWords(part, inner.head), scale, counted: null };
}

/** creation date → creation day */
function dayWords(head: readonly string[]): readonly string[] {
  const last = head.at(-1) ?? '';
  return /^(date|time|datetime|timestamp)$/i.test(last) ? [...head.slice(0, -1), 'day'] : [...head, 'day'];
}

/** The words of a part of a moment: opening date → opening year. */
export function partWords(part: string, name: readonly string[]): readonly string[] {
  // The date of a moment in milliseconds is not in milliseconds.
  const words = name.length > 2 && name.at(-2) === 'in' ? name.slice(0, -2) : name;
  if (words.at(-1)?.toLowerCase() === part) return words;
  const isDate = (word: string | undefined) => /^(date|time|datetime|timestamp)$/i.test(word ?? '');
  // The year of a driver's date of birth is the driver's birth year.
  const own = words.filter(
    (word, i) => !isDate(word) && !(word.toLowerCase() === 'of' && isDate(words[i - 1])),
  );
  return own.some((word) => word.toLowerCase() === part) ? [part] : [...own, ...part.split(' ')];
}

/** A moment that is moved: start of the month of the date, date plus 7 days. */
export function moved(of: NounPhrase, shifts: readonly Shift[], r: Realizer): NounPhrase {
  let moment = of;
  for (const shift of shifts) {
    const text = singularText(moment);
    if (shift.kind === 'start')
      moment = fixedText(`start of the ${shift.unit} of ${text}`, { scale: 'date' });
    else if (shift.kind === 'weekday')
      moment = fixedText(`next ${WEEKDAYS[shift.day] ?? 'weekday'} from ${text}`, { scale: 'date' });
    else moment = { ...moment, tail: joinTexts(moment.tail, shiftText(shift, r)), scale: 'date' };
  }
  return moment;
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The text of a shift: plus 7 days. */
export function shiftText(shift: Shift, r: Realizer): string {
  switch (shift.kind) {
    case 'by':
      return `${shift.sign} ${shift.count} ${shift.unit}`;
    case 'term':
      return `moved by ${singularText(r.noun(shift.by))}`;
    case 'start':
      return `at the start of its ${shift.unit}`;
    case 'weekday':
      return `at the next ${WEEKDAYS[shift.day] ?? 'weekday'}`;
  }
}

/** The age of a person born at a moment. */
export function ageNoun({ of, on, years }: Age, r: Realizer): NounPhrase {
  const birth = r.noun(of);
  const when =
    on.kind === 'given'
      ? `in ${r.given(on, noun('year', { counted: 'age' }), 'thing')}`
      : `on ${on.kind === 'constant' ? '' : 'the '}${singularText(r.noun(on))}`;
  const role = birth.owner === null && of.kind === 'property' ? (of.owner?.one.join(' ') ?? '') : '';
  const how = { full: 'full years', calendar: 'calendar years', exact: 'years', whole: 'whole years' }[years];
  return noun(joinTexts(role, 'age'), { tail: `(in ${how} ${when})`, owner: birth.owner });
}

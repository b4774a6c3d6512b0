import { distance } from 'fastest-levenshtein';
import type { z } from 'zod';

/** Longer names are no typos, and comparing them is slow. */
const MAX_LENGTH = 128;

/** Up to three names that `name` may be a misspelling of, nearest first. */
export function nearestNames(name: string, names: Iterable<string>): string[] {
  if (name === '' || name.length > MAX_LENGTH) return [];
  const wanted = name.toLowerCase();
  const ranked: { candidate: string; away: number }[] = [];
  for (const candidate of names) {
    const other = candidate.toLowerCase();
    const contained = wanted.length > 2 && (other.includes(wanted) || wanted.includes(other));
    const away = contained ? Math.min(2, distance(wanted, other)) : distance(wanted, other);
    if (away <= Math.max(1, wanted.length * 0.4)) ranked.push({ candidate, away });
  }
  ranked.sort((a, b) => a.away - b.away || (a.candidate < b.candidate ? -1 : 1));
  return ranked.slice(0, 3).map(({ candidate }) => candidate);
}

export function namesOf(named: Iterable<{ readonly name: string }>): string[] {
  return Array.from(named, ({ name }) => name);
}

/** The name itself, or with the first number from 2 that makes it new. Adds it to `taken`. */
export function freeName(name: string, taken: Set<string>, separator = '_'): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}${separator}${n}`;
  taken.add(free);
  return free;
}

/** `; did you mean a or b?`, or '' if nothing is near. */
export function didYouMean(suggestions: readonly string[]): string {
  return suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`;
}

/** The hint after an unknown name: the nearest `names`, else the first ten. */
export function insteadOf(name: string, names: readonly string[]): string {
  const more = names.length > 10 ? ', …' : '';
  return didYouMean(nearestNames(name, names)) || `; choose from ${names.slice(0, 10).join(', ')}${more}`;
}

export function article(text: string): string {
  if (text.startsWith('other ')) return `an${text}`;
  return `${takesAn(text) ? 'an' : 'a'} ${text}`;
}

/** Capitals that are pronounced as a word: a NAME1, a LOINC, but an SAT score and an NCES number. */
const SHOUTED_WORD = /^[FHLMNRSX][AEIOU][A-Z]{2,}/;

/** Whether a text takes "an", judged by spelling: an hour, a unit, an SAT score, a URL. */
function takesAn(text: string): boolean {
  const [first = ''] = text.split(/[ -]/);
  if (/^[A-Z]{2,}/.test(first) && !/[aeiou]/.test(first))
    return /^[AEFHILMNORSX]/.test(first) && !SHOUTED_WORD.test(first);
  if (/^(hour|honor|honour|heir|honest)/i.test(first)) return true;
  return /^[aeiou]/i.test(first) && !/^(uni([^nm]|ted)|use|usu|user|eur|one\b|once|url|ut)/i.test(first);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first sentence of a text's first line; marks in brackets do not end it. */
export function firstSentence(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const end = line.search(/[.;]\s(?![^()]*\))/);
  return end < 0 ? line : `${line.slice(0, end)}.`;
}

/** The summary of a described operation: its first sentence, up to a colon and without what is in brackets. */
export function summaryOf(description: string): string {
  return firstSentence(description)
    .replace(/:\s.*$|\.$/, '')
    .replace(/ \([^()]*\)/g, '');
}

/** `1 domain`, `2 domains`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first fault of a value rejected by a schema: `limits.rows must be a whole number`. */
export function faultIn(error: z.core.$ZodError, whole = 'the top'): string {
  const [issue] = error.issues;
  return `${issue?.path.map(String).join('.') || whole} ${wordIssue(issue)}`;
}

/** Describes an issue as the predicate of a sentence about the field: `must be one of rest, slot`. */
export function wordIssue(issue: z.core.$ZodIssue | undefined): string {
  // A schema's own message.
  if (issue === undefined || !/^(Invalid|Too|Unrecognized)/.test(issue.message)) {
    return issue?.message ?? 'cannot be used';
  }
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'is missing';
      return `must be ${KINDS_OF_VALUE[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'unrecognized_keys':
      return `has ${issue.keys.join(', ')}, which it cannot have`;
    case 'too_small':
    case 'too_big': {
      const [bound, word, inclusive] =
        issue.code === 'too_small'
          ? [issue.minimum, issue.inclusive ? 'at least' : 'more than', issue.inclusive]
          : [issue.maximum, issue.inclusive ? 'at most' : 'less than', issue.inclusive];
      const verb = PARTS_OF_VALUE[issue.origin];
      if (verb === undefined) return `must be ${word} ${bound}`;
      return issue.code === 'too_small' && inclusive && Number(bound) === 1
        ? 'must not be empty'
        : `must have ${word} ${bound} ${verb}`;
    }
    case 'invalid_format':
      return issue.pattern ? `must match ${issue.pattern}` : `is no ${issue.format}`;
    case 'invalid_union': {
      if ('options' in issue && issue.options)
        return `must be one of ${issue.options.map(String).join(', ')}`;
      const words = new Set(issue.errors.map(([first]) => wordIssue(first)));
      return words.size === 0 ? 'cannot be used' : [...words].join(', or ');
    }
    default:
      return 'cannot be used';
  }
}

const KINDS_OF_VALUE: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

const PARTS_OF_VALUE: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
};

/** The pattern of a regular expression that matches just this text. */
export function literalPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** `62.3 %` of a whole; a dash where there is none. */
export function percent(part: number, whole = 1): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

import { InvalidArgumentError, Option } from 'commander';
import { DEFAULT_REFERENCE_TIME, DEFAULT_TIMEOUT } from '../contracts/split.ts';
import { MAX_SERVICES } from '../services/base/farm.ts';

export const SERVICES_OPTION = `containers to divide the domains among at most (default: ${MAX_SERVICES})`;

export const ROBUST_HELP =
  'a world of the farm, to replay the calls of passes in: rewards tell what is right there too (may be repeated)';

/** Publicly known. Use another one if agents may have been tuned to these worlds. */
export const DEFAULT_WORLD_SEED = 'rookery';

/** The flags, help and parser of `--jobs`. */
export const JOBS_OPTION = [
  '-j, --jobs <n>',
  'processes to use (default: one per core)',
  wholeNumber(1, 256),
] as const;

export const PROVE_HELP = 'prove the bundled split again, instead of taking the proofs that ship with it';

/** The flags, help, parser and default of `--reference-time`. */
export const REFERENCE_TIME_OPTION = [
  '--reference-time <time>',
  'the value of `now` in the SQL, in UTC',
  referenceTime,
  DEFAULT_REFERENCE_TIME,
] as const;

/** Those of `--timeout`, in a command that asks queries. */
export const TIMEOUT_OPTION = [
  '--timeout <seconds>',
  'processor time limit of a query',
  wholeNumber(1, 3600),
  DEFAULT_TIMEOUT,
] as const;

/** An option that takes one of the given values. */
export function choice(
  flags: string,
  help: string,
  values: readonly string[],
  defaultValue?: string,
): Option {
  return new Option(flags, help).choices(values).default(defaultValue);
}

/** A parser for whole numbers from `min` to `max`; commander reports invalid values. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(
        `Give a whole number from ${min}${max < Number.MAX_SAFE_INTEGER ? ` to ${max}` : ''}`,
      );
    }
    return value;
  };
}

/** A parser for numbers from `min` to `max`. */
export function decimal(min: number, max = Number.MAX_VALUE): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= min && value <= max)) {
      throw new InvalidArgumentError(
        `Give a number from ${min}${max < Number.MAX_VALUE ? ` to ${max}` : ''}.`,
      );
    }
    return value;
  };
}

/** Parses a reference time, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, and returns the latter form. */
export function referenceTime(text: string): string {
  const full = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 00:00:00` : text;
  if (!isTime(full))
    throw new InvalidArgumentError('Give a time as YYYY-MM-DD or "YYYY-MM-DD HH:MM:SS" (UTC)');
  return full;
}

/** Whether a time exists: Date.parse turns 30 February into March, so its result is compared. */
function isTime(text: string): boolean {
  const milliseconds = Date.parse(`${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(milliseconds)) return false;
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ') === text;
}

/** Parses the name of a licence: one line of at most 80 characters. */
export function dataLicence(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 80 || /[\p{Cc}]/u.test(name)) {
    throw new InvalidArgumentError('Give the name of a licence, at most 80 characters, such as CC-BY-SA-4.0');
  }
  return name;
}

/** Parses percentage points, `3pp` or `3`, as a share: 0.03. */
export function points(text: string): number {
  const value = Number(text.replace(/\s*(pp|%)$/, ''));
  if (text.trim() === '' || !(value > 0 && value < 100)) {
    throw new InvalidArgumentError('Give percentage points, above 0 and below 100: 3pp');
  }
  return value / 100;
}

/** Parses a percentage as a share: `60` or `60%`. */
export function inPercent(text: string): number {
  const value = Number(text.replace(/\s*%$/, ''));
  if (text.trim() === '' || !(value >= 0 && value <= 100)) {
    throw new InvalidArgumentError('Give a percentage from 0 to 100: 60');
  }
  return value / 100;
}

/** Collects an option that may be repeated, or given once with commas. */
export function list(text: string, previous: readonly string[] = []): string[] {
  return [...previous, ...text.split(',').filter((item) => item !== '')];
}

/** Help of `--via`. */
export const VIA_HELP =
  'two tools in place of the list. search: find tools and call them; code: run programs; http, requests: send requests';

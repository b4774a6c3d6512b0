import { quoteText } from '../../../sql/index.ts';
import type { Random } from '../../variants/random.ts';
import type { Value } from '../profile/profile.ts';
import type { Place } from './place.ts';

/** Shares of rows that a value of a category may have to be worth a condition. */
const RARE = 0.01;
const USUAL = 0.8;

/** A condition on a column with literals from its data that leaves some rows, and drops some; null if it has none. */
export function conditionOn(place: Place, random: Random): string | null {
  const { sql, column } = place;
  if (column.nulls > 0.03 && column.nulls < 0.9 && random.chance(0.12)) {
    return `${sql} IS ${random.chance(0.5) ? 'NOT ' : ''}NULL`;
  }
  switch (column.kind) {
    case 'category':
      return categoryCondition(place, random);
    case 'number':
    case 'year':
      return rangeCondition(place, random, literal);
    case 'date':
      return dateCondition(place, random);
    case 'name':
      return nameCondition(place, random);
    default:
      return null;
  }
}

function categoryCondition({ sql, column }: Place, random: Random): string | null {
  const values = column.common
    .filter(({ share }) => share >= RARE && share <= USUAL)
    .map(({ value }) => value);
  if (values.length >= 4 && random.chance(0.18)) {
    return `${sql} IN (${random
      .sample(values, 2 + random.below(2))
      .map(literal)
      .join(', ')})`;
  }
  const value = random.pick(values);
  if (value === undefined || value === '') return null;
  return `${sql} ${random.chance(0.1) ? '<>' : '='} ${literal(value)}`;
}

function rangeCondition(
  { sql, column }: Place,
  random: Random,
  print: (value: Value) => string,
): string | null {
  const [low, , , , , , high] = column.steps;
  const middle = random.pick(column.steps);
  if (low === undefined || high === undefined || middle === undefined || low === high) return null;
  if (random.chance(0.2)) return `${sql} BETWEEN ${print(rounded(low))} AND ${print(rounded(high))}`;
  const op = random.pick(['>', '>', '<', '>=', '<=']) ?? '>';
  return `${sql} ${op} ${print(rounded(middle))}`;
}

function dateCondition({ sql, column }: Place, random: Random): string | null {
  const dates = column.steps.map((value) => String(value).slice(0, 10));
  const date = random.pick(dates);
  if (date === undefined) return null;
  const year = date.slice(0, 4);
  if (random.chance(0.5)) return `strftime('%Y', ${sql}) = '${year}'`;
  return `${sql} ${random.pick(['>=', '<']) ?? '<'} '${date}'`;
}

/** The word that a name begins with. */
function nameCondition({ sql, column }: Place, random: Random): string | null {
  const start = /^\p{L}{3,}/u.exec(String(random.pick(column.steps) ?? ''))?.[0];
  return start === undefined ? null : `${sql} LIKE ${quoteText(`${start}%`)}`;
}

/** A number that people would ask with: two or three digits that count. */
function rounded(value: Value): Value {
  if (typeof value === 'string') return value;
  const number = Number(value);
  if (!Number.isFinite(number) || number === 0) return value;
  const digits = Math.max(2, number >= 1000 && number < 10_000 ? 3 : 2);
  const near = Number(number.toPrecision(Number.isInteger(number) && Math.abs(number) < 3000 ? 4 : digits));
  return typeof value === 'bigint' ? BigInt(Math.round(near)) : near;
}

/** A value as SQL. */
export function literal(value: Value): string {
  if (typeof value === 'string') return quoteText(value);
  return typeof value === 'number' && Number.isInteger(value) ? value.toFixed(1) : String(value);
}

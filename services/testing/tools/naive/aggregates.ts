import { asNumeric, checked, numberOf, order, type Typed, textOf, Unspecified, type Value } from './value.ts';

export interface AggregateOptions {
  readonly distinct: boolean;
  readonly separator: string;
}

/** A value computed from those of a column, in row order; from the descriptions of the aggregations. */
export function aggregate(type: string, values: readonly Typed[], options: AggregateOptions): Value {
  const present = values.filter(({ value }) => value !== null);
  const some = options.distinct ? once(present) : present;
  const numbers = some.map(({ value }) => Number(numberOf(value)));
  const sum = numbers.reduce((total, number) => total + number, 0);
  switch (type) {
    case 'count':
      return BigInt(some.length);
    case 'min':
      return extreme(some, -1)?.value ?? null;
    case 'max':
      return extreme(some, 1)?.value ?? null;
    case 'sum':
      if (some.length === 0) return null;
      return checked(some.every(({ value }) => typeof asNumeric(value) === 'bigint') ? BigInt(sum) : sum);
    case 'total':
      return checked(sum);
    case 'mean':
      return some.length === 0 ? null : checked(sum / some.length);
    case 'median':
      return median(some);
    case 'std':
      return deviation(numbers);
    case 'argmin':
      return place(values, extreme(present, -1));
    case 'argmax':
      return place(values, extreme(present, 1));
    case 'group_concat':
      if (options.distinct && some.length > 1) throw new Unspecified('the order of distinct values');
      return some.length === 0 ? null : some.map(({ value }) => textOf(value)).join(options.separator);
    default:
      throw new Error(`no aggregation ${type}`);
  }
}

/** Equal values once, where they first stand. */
function once(values: readonly Typed[]): Typed[] {
  const kept: Typed[] = [];
  for (const each of values) {
    const other = kept.find(({ value }) => order(value, each.value, each.nocase === true) === 0);
    if (!other) kept.push(each);
    else if (other.value !== each.value) throw new Unspecified('which of two equal values');
  }
  return kept;
}

/** The first of the smallest (or largest) values. */
function extreme(values: readonly Typed[], sign: number): Typed | undefined {
  let best: Typed | undefined;
  for (const each of values) {
    const found = best ? order(each.value, best.value, each.nocase === true) * sign : 1;
    if (found === 0 && best?.value !== each.value) throw new Unspecified('which of two equal values');
    if (found > 0) best = each;
  }
  return best;
}

function place(values: readonly Typed[], best: Typed | undefined): Value {
  return best ? BigInt(values.findIndex(({ value }) => value === best.value)) : null;
}

function median(values: readonly Typed[]): Value {
  if (values.some(({ value }) => typeof value === 'string')) throw new Unspecified('a median of texts');
  const sorted = values.map(({ value }) => Number(numberOf(value))).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const [low, high] = [sorted[(sorted.length - 1) >> 1] as number, sorted[sorted.length >> 1] as number];
  return (low + high) / 2;
}

function deviation(numbers: readonly number[]): Value {
  if (numbers.length < 2) return null;
  const mean = numbers.reduce((a, b) => a + b, 0) / numbers.length;
  return checked(Math.sqrt(numbers.reduce((a, b) => a + (b - mean) ** 2, 0) / (numbers.length - 1)));
}

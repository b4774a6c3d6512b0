import type { Stored } from '../oracle/messages.ts';
import type { Random } from './random.ts';

/** A value of the same kind, slightly changed: a number by a small step, a text by a letter or its case. */
export function nudge(value: Stored, random: Random): Stored {
  const up = random.chance(0.5);
  switch (typeof value) {
    case 'bigint':
      return value >= 1n << 62n || value <= -(1n << 62n) ? value : value + (up ? 1n : -1n);
    case 'number':
      return random.chance(0.5) ? value + (up ? 1 : -1) : value * (up ? 1.01 : 0.99);
    case 'string':
      return nudgeText(value, random);
    default:
      return value;
  }
}

function nudgeText(text: string, random: Random): string {
  // Numbers and dates kept as text stay numbers and dates.
  const digits = [...text.matchAll(/\d/g)];
  const digit = random.pick(digits);
  if (digit && digits.length * 2 >= text.length) {
    const other = (Number(digit[0]) + 1 + random.below(8)) % 10;
    return text.slice(0, digit.index) + other + text.slice(digit.index + 1);
  }
  const other = [
    text.toUpperCase(),
    text.toLowerCase(),
    `${text}s`,
    `x${text}`,
    ` ${text}`,
    text.slice(0, -1),
  ];
  return random.pick(other.filter((each) => each !== text)) ?? text;
}

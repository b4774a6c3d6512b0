import { LosslessNumber } from 'lossless-json';
import { type Json, toNumber } from '../../json/lossless.ts';

/** Python's `int(text)` of digits. */
export function pythonInteger(text: string): Json {
  return toNumber(String(BigInt(text.trim().replaceAll('_', ''))));
}

/** Python's `float(text)` of a number: it stays a float, whatever its digits. */
export function pythonFloat(text: string): Json {
  const digits = text.trim().replace(/^\+/, '').replaceAll('_', '');
  return new LosslessNumber(/^-?\d+$/.test(digits) ? `${digits}.0` : digits);
}

/** Python's `int(text)`, or else `float(text)`, or else the text. */
export function looseScalar(text: string): Json {
  if (/^\s*[+-]?\d+(?:_\d+)*\s*$/.test(text)) return pythonInteger(text.trim().replace(/^\+/, ''));
  return REAL.test(text) ? pythonFloat(text) : text;
}

const REAL = /^\s*[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?\s*$/;

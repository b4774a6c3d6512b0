import { parameterText } from '../../contracts/parameter-text.ts';
import { type ValueFault, valueFault } from '../../contracts/report.ts';
import { isReference } from '../calls/references.ts';
import { sameValue } from '../calls/same-value.ts';
import { isNumber, isObject, type Json } from '../json/lossless.ts';

/** How a wrong value differs from the right one; see `valueFault` in contracts/report.ts. References are replaced. */
export function classifyValue(gold: Json, predicted: Json): ValueFault {
  const found = new Set(faultsIn(gold, predicted));
  return valueFault.options.find((fault) => found.has(fault)) ?? 'other';
}

/** The faults of all scalars in which two values differ. */
function faultsIn(gold: Json, predicted: Json): ValueFault[] {
  if (isReference(gold) || isReference(predicted)) return ['reference'];
  if (Array.isArray(gold) && Array.isArray(predicted)) {
    if (gold.length !== predicted.length) return ['other'];
    return gold.flatMap((item, i) => differing(item, predicted[i] as Json));
  }
  if (isObject(gold) && isObject(predicted)) {
    const keys = new Set([...Object.keys(gold), ...Object.keys(predicted)]);
    return [...keys].flatMap((key) => {
      const [a, b] = [gold[key], predicted[key]];
      return a === undefined || b === undefined ? ['other' as const] : differing(a, b);
    });
  }
  if (Array.isArray(gold) || Array.isArray(predicted)) {
    const list = Array.isArray(gold) ? gold : (predicted as Json[]);
    const other = Array.isArray(gold) ? predicted : gold;
    return [list.length === 1 && sameValue(list[0] as Json, other) ? 'type' : 'other'];
  }
  if (isObject(gold) || isObject(predicted)) return ['other'];
  return [scalarFault(gold, predicted)];
}

function differing(gold: Json, predicted: Json): ValueFault[] {
  return sameValue(gold, predicted) ? [] : faultsIn(gold, predicted);
}

function scalarFault(gold: Json, predicted: Json): ValueFault {
  const [a, b] = [parameterText(gold).trim(), parameterText(predicted).trim()];
  if (kindOf(gold) !== kindOf(predicted) && (a === b || isSameNumber(a, b))) return 'type';
  if (folded(a) === folded(b)) return 'case';
  if (isDate(a) && isDate(b) && (isWrittenDate(a) || isWrittenDate(b))) return 'date';
  return isOtherUnit(a, b) ? 'unit' : 'other';
}

function kindOf(value: Json): string {
  return value === null ? 'null' : isNumber(value) ? 'number' : typeof value;
}

function isSameNumber(a: string, b: string): boolean {
  return a !== '' && b !== '' && Number(a) === Number(b);
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
}

/** A date as people and databases write it; a bare year, month (`201208`) or day (`20120823`) is one beside another date. */
function isDate(text: string): boolean {
  return isWrittenDate(text) || /^(1[5-9]|20)\d{2}(\d{2}){0,2}$/.test(text);
}

function isWrittenDate(text: string): boolean {
  return DATES.some((date) => date.test(text));
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const TIME = '(?:[T ]\\d{1,2}:\\d{2}.*)?';
const DATES = [
  new RegExp(`^\\d{4}[-/.]\\d{1,2}(?:[-/.]\\d{1,2}${TIME})?%?$`),
  new RegExp(`^\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2,4}${TIME}$`),
  new RegExp(
    `^(?:\\d{1,2}(?:st|nd|rd|th)?[ -])?${MONTH}\\.?[ -](?:\\d{1,2}(?:st|nd|rd|th)?,? )?\\d{2,4}$`,
    'i',
  ),
];

function isOtherUnit(a: string, b: string): boolean {
  const [x, y] = [measureIn(a), measureIn(b)];
  if (x === null || y === null) return false;
  if (x === y) return true;
  const factor = Math.abs(x) > Math.abs(y) ? x / y : y / x;
  return FACTORS.some((each) => Math.abs(factor - each) <= 1e-6 * each);
}

/** `5`, `5 km`, `5%`, `$5`, `1,000` */
function measureIn(text: string): number | null {
  const found = /^[$€£¥]?\s*(-?[\d,]*\.?\d+(?:e[+-]?\d+)?)\s*(?:%|[\p{L}°²³/]{0,12})$/iu.exec(text)?.[1];
  const value = found === undefined ? Number.NaN : Number(found.replaceAll(',', ''));
  return Number.isFinite(value) ? value : null;
}

/** Powers of ten; seconds, minutes, hours, days, weeks; months and dozens. */
const FACTORS = [10, 100, 1e3, 1e4, 1e5, 1e6, 1e9, 60, 3600, 24, 1440, 86_400, 7, 12];

import { sameCell } from '../../contracts/same-rows.ts';
import { isNumber, isObject, type Json, numberText, numberValue, toNumber } from '../json/lossless.ts';
import { type PropertySchema, typesOf } from './tool-universe.ts';

/**
 * Whether two argument values mean the same to a service: numbers by value (1e-9 relative), objects without key
 * order, and a scalar spelled as text where the schema says what it is (`"5"` for an integer parameter).
 */
export function sameValue(gold: Json, predicted: Json, schema?: PropertySchema): boolean {
  if (isNumber(gold) && isNumber(predicted)) return sameCell(numberValue(gold), numberValue(predicted));
  if (Array.isArray(gold)) {
    if (Array.isArray(predicted)) {
      return (
        gold.length === predicted.length &&
        gold.every((item, i) => sameValue(item, predicted[i] as Json, schema?.items))
      );
    }
    return gold.length === 1 && isScalar(predicted) && sameValue(gold[0] as Json, predicted, schema?.items);
  }
  if (isObject(gold)) {
    if (!isObject(predicted)) return false;
    const keys = Object.keys(gold);
    return (
      keys.length === Object.keys(predicted).length &&
      keys.every(
        (key) => Object.hasOwn(predicted, key) && sameValue(gold[key] as Json, predicted[key] as Json),
      )
    );
  }
  if (gold === predicted) return true;
  return sameAsDeclared(gold, predicted, typesOf(schema));
}

function sameAsDeclared(gold: Json, predicted: Json, types: readonly string[]): boolean {
  if (types.length !== 1) return false;
  const [type] = types;
  if (type === 'integer' || type === 'number') {
    const [a, b] = [asNumber(gold), asNumber(predicted)];
    return a !== null && b !== null && sameCell(a, b);
  }
  if (type === 'string' || type === 'boolean') {
    const [a, b] = [asText(gold), asText(predicted)];
    return a !== null && a === b;
  }
  return false;
}

function asNumber(value: Json): number | null {
  if (isNumber(value)) return numberValue(value);
  if (typeof value !== 'string' || !NUMERAL.test(value)) return null;
  return numberValue(toNumber(value.trim()));
}

function asText(value: Json): string | null {
  if (isNumber(value)) return numberText(value);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : null;
}

function isScalar(value: Json): boolean {
  return !Array.isArray(value) && !isObject(value);
}

const NUMERAL = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/;

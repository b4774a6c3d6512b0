import { parameterText, readInteger, readNumber } from '../../contracts/parameter-text.ts';
import { isNumeric, sameNumber } from '../../contracts/same-cell.ts';
import { isNumber, isObject, type Json, numberValue } from '../json/lossless.ts';
import { type PropertySchema, takesOneOrSeveral, typesOf } from './tool-universe.ts';

/**
 * How arguments reach the service. `query`: as the texts of query parameters, so that `"5"` and `5` are the same and
 * the parameter's type decides what the text is. `body`: as JSON, where the service does not convert types.
 */
export type Wire = 'query' | 'body';

/**
 * Whether two argument values mean the same to the service: numbers by value (integers exactly, reals within 1e-9),
 * objects without key order, a lone element as a list of one where the parameter takes both.
 */
export function sameValue(
  gold: Json,
  predicted: Json,
  schema?: PropertySchema,
  wire: Wire = 'body',
): boolean {
  if (Array.isArray(gold) !== Array.isArray(predicted) && takesEither(schema, wire)) {
    return sameValue(asList(gold), asList(predicted), schema, wire);
  }
  if (Array.isArray(gold) || Array.isArray(predicted)) {
    return (
      Array.isArray(gold) &&
      Array.isArray(predicted) &&
      gold.length === predicted.length &&
      gold.every((item, i) => sameValue(item, predicted[i] as Json, schema?.items, wire))
    );
  }
  if (isObject(gold) || isObject(predicted)) {
    return isObject(gold) && isObject(predicted) && sameObject(gold, predicted);
  }
  const types = typesOf(schema);
  if (wire === 'query' && types.length === 1) return sameParameter(gold, predicted, types[0] as string);
  if (!isNumber(gold) || !isNumber(predicted)) return gold === predicted;
  const [a, b] = [numberValue(gold), numberValue(predicted)];
  return sameNumber(a, b) && (!types.includes('integer') || types.includes('number') || isWhole(b));
}

function sameObject(gold: { [key: string]: Json }, predicted: { [key: string]: Json }): boolean {
  const keys = Object.keys(gold);
  return (
    keys.length === Object.keys(predicted).length &&
    keys.every((key) => Object.hasOwn(predicted, key) && sameValue(gold[key] as Json, predicted[key] as Json))
  );
}

/** A query parameter may be repeated or given once; in a body only a few take a text or a list of texts. */
function takesEither(schema: PropertySchema | undefined, wire: Wire): boolean {
  return wire === 'query' ? typesOf(schema).includes('array') : takesOneOrSeveral(schema);
}

function asList(value: Json): Json[] {
  return Array.isArray(value) ? value : [value];
}

/** Two scalars as the service reads their texts. null is no text at all. */
function sameParameter(gold: Json, predicted: Json, type: string): boolean {
  if (gold === null || predicted === null) return gold === predicted;
  const [a, b] = [readAs(type, parameterText(gold)), readAs(type, parameterText(predicted))];
  if (a === null || b === null) return false;
  return isNumeric(a) && isNumeric(b) ? sameNumber(a, b) : a === b;
}

function readAs(type: string, text: string): string | number | bigint | null {
  if (type === 'integer') {
    const integer = readInteger(text);
    return integer !== null && Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  }
  return type === 'number' ? readNumber(text) : text;
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

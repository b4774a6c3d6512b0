import { isObject, type Json, type JsonObject } from '../../json/lossless.ts';
import { pythonEquals } from '../../json/python.ts';
import { type BfclVerdict, invalid, VALID } from './types.ts';

/** BFCL's comparison of strings forgives case, blanks, some punctuation and the kind of quote. */
export function standardize(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');
}

export function checkString(value: string, acceptable: readonly Json[]): BfclVerdict {
  const gold = acceptable.filter((item) => typeof item === 'string').map(standardize);
  return gold.includes(standardize(value)) ? VALID : invalid('value_error:string');
}

/** Order matters; strings directly in the list are standardised, deeper ones are not. */
export function checkList(value: readonly Json[], acceptable: readonly Json[]): BfclVerdict {
  const standardized = value.map(standardizeItem);
  // `""` (may be left out) has no elements, so BFCL takes an empty list for it.
  const gold = acceptable.map((item) =>
    Array.isArray(item) ? item.map(standardizeItem) : item === '' ? [] : null,
  );
  return isAmong(standardized, gold) ? VALID : invalid('value_error:list/tuple');
}

export function checkDict(value: JsonObject, acceptable: readonly Json[]): BfclVerdict {
  let verdict = invalid('dict_checker:unclear');
  for (const gold of acceptable) {
    if (!isObject(gold)) continue;
    verdict = checkOneDict(value, gold);
    if (verdict.valid) return VALID;
  }
  return verdict;
}

/** As many dictionaries, in the same order. */
export function checkListOfDicts(value: readonly Json[], acceptable: readonly Json[]): BfclVerdict {
  let verdict = invalid('list_dict_checker:unclear');
  for (const gold of acceptable) {
    const items = Array.isArray(gold) ? gold : [];
    if (items.length !== value.length) {
      verdict = invalid('value_error:list_dict_count');
      continue;
    }
    verdict = VALID;
    for (const [i, item] of value.entries()) {
      verdict = isObject(item) ? checkDict(item, [items[i] as Json]) : invalid('value_error:dict_value');
      if (!verdict.valid) break;
    }
    if (verdict.valid) return VALID;
  }
  return verdict;
}

/** Python's `value in list`. */
export function isAmong(value: Json, list: readonly Json[]): boolean {
  return list.some((item) => pythonEquals(value, item));
}

/** A gold dictionary lists the acceptable values of each key; `""` among them makes the key optional. */
function checkOneDict(value: JsonObject, gold: JsonObject): BfclVerdict {
  let verdict = VALID;
  for (const [key, item] of Object.entries(value)) {
    if (!Object.hasOwn(gold, key)) verdict = invalid('value_error:dict_key');
    else if (!isAmong(standardizeItem(item), valuesOf(gold[key] as Json).map(standardizeItem))) {
      verdict = invalid('value_error:dict_value');
    }
    if (!verdict.valid) break;
  }
  // BFCL looks for missing keys even after an error, and then reports those.
  for (const [key, values] of Object.entries(gold)) {
    if (!Object.hasOwn(value, key) && !valuesOf(values).includes('')) return invalid('value_error:dict_key');
  }
  return verdict;
}

function valuesOf(values: Json): readonly Json[] {
  return Array.isArray(values) ? values : [values];
}

function standardizeItem(item: Json): Json {
  return typeof item === 'string' ? standardize(item) : item;
}

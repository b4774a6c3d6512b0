import type { Json } from '../../json/lossless.ts';
import { type PythonType, pythonType } from '../../json/python.ts';
import { type BfclVerdict, invalid, VALID } from './types.ts';

export interface TypeCheck {
  readonly verdict: BfclVerdict;
  /** The value is treated as a variable: it has the type of the gold value and not that of the schema. */
  readonly isVariable: boolean;
}

/** BFCL's `type_checker`: strict equality of types, one level into lists, or else the type of the first gold value. */
export function checkType(
  value: Json,
  acceptable: readonly Json[],
  expected: PythonType,
  nested: PythonType | null,
): TypeCheck {
  const first = acceptable.find((item) => item !== '');
  const goldType = first === undefined ? null : pythonType(first);
  const type = pythonType(value);
  let verdict = VALID;
  if (type === expected) {
    const isVariable = goldType !== null && goldType !== expected;
    if (nested === null) return { verdict: VALID, isVariable };
    const elements = value as readonly Json[];
    for (const item of acceptable) {
      const fits =
        !Array.isArray(item) || elements.every((e) => checkType(e, item, nested, null).verdict.valid);
      if (fits) return { verdict: VALID, isVariable };
    }
    verdict = invalid('type_error:nested');
  }
  if (goldType !== null && type === goldType) return { verdict, isVariable: true };
  return { verdict: invalid('type_error:simple'), isVariable: false };
}

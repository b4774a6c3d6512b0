import { ARITHMETIC_OPERATIONS } from './arithmetic.ts';
import { CONDITIONAL_OPERATIONS } from './conditional.ts';
import { DATE_OPERATIONS } from './dates.ts';
import { JSON_OPERATIONS } from './json.ts';
import type { Operation, RowOperation } from './operation.ts';
import { TEXT_OPERATIONS } from './text.ts';
import { WINDOW_OPERATIONS } from './windows.ts';

const { absolute_value, ...arithmetic } = ARITHMETIC_OPERATIONS;
const { substring, ...text } = TEXT_OPERATIONS;
const { datetime_part, ...dates } = DATE_OPERATIONS;

/** Operations that look at one row only, by name; the first three are the paper's. */
export const ROW_OPERATIONS: Readonly<Record<string, RowOperation>> = {
  substring,
  absolute_value,
  datetime_part,
  ...arithmetic,
  ...text,
  ...dates,
  ...JSON_OPERATIONS,
  ...CONDITIONAL_OPERATIONS,
};

/** Every operation of `transform_data`, by name. */
export const OPERATIONS: Readonly<Record<string, Operation>> = { ...ROW_OPERATIONS, ...WINDOW_OPERATIONS };

export const OPERATION_NAMES = Object.keys(OPERATIONS) as [string, ...string[]];
export const ROW_OPERATION_NAMES = Object.keys(ROW_OPERATIONS) as [string, ...string[]];

/** The operation of that name, which must exist. */
export function operation(name: string): Operation {
  return OPERATIONS[name] as Operation;
}

import { z } from 'zod';
import { operand } from '../../../../contracts/tools.ts';

/** A `data_source`: a start table or an earlier result. */
export const handleField = (description: string) => z.string().meta({ 'x-handle': true, description });

/** The name of a column of the data source. */
export const columnField = (description: string) => z.string().meta({ 'x-key-name': true, description });

/** One column, or several. */
export const columnsField = (description: string) =>
  z
    .union([z.string().meta({ 'x-key-name': true }), z.array(z.string().meta({ 'x-key-name': true }))])
    .meta({ description });

/** The operand of a condition. */
export const testValueField = (description: string) =>
  z
    .union([operand, z.array(operand)])
    .optional()
    .meta({ description });

/** The name of a column to be made. */
export const newColumnField = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_]{1,64}$/)
    .optional()
    .meta({ description: 'name of a new column for the result; without it the column itself is replaced' });

export const asList = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { UserError } from '../../../contracts/errors.ts';
import { otherVersion } from '../../../contracts/other-version.ts';

/** A JSON file of a farm, checked. Throws FARM_INVALID with the place and the fix. */
export function parseFarmFile<T extends z.ZodType>(file: string, text: string, schema: T): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(file, `is not JSON (${(cause as Error).message})`, cause);
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const other = otherVersion(value);
  if (other !== null) throw invalid(file, other, checked.error);
  const [issue] = checked.error.issues;
  const path =
    issue?.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('') ?? '';
  throw invalid(
    file,
    `has ${issue?.message ?? 'a fault'} at ${path.replace(/^\./, '') || 'the top'}`,
    checked.error,
  );
}

/** A file's text. Throws FARM_INVALID when it cannot be read. */
export function readFarmFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw invalid(file, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
}

/** FARM_INVALID, with what to do about it. */
export function invalid(file: string, fault: string, cause?: unknown): UserError {
  return new UserError(
    'FARM_INVALID',
    file,
    `${fault}; generate the farm again with this version of rookery`,
    { cause },
  );
}

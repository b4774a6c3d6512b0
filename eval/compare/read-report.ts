import { existsSync, readFileSync } from 'node:fs';
import { UserError } from '../../contracts/errors.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import { type Report, report } from '../../contracts/report.ts';

/** Reads a report.json. Throws REPORT_INVALID. */
export function readReport(file: string): Report {
  if (!existsSync(file)) throw invalid(file, 'is not there');
  let value: unknown;
  try {
    value = parseExactJson(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw invalid(file, `is not JSON (${(cause as Error).message})`, cause);
  }
  const read = report.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid(
    file,
    `has ${issue?.message ?? 'a fault'} at ${issue?.path.join('.') || 'the top'}`,
    read.error,
  );
}

function invalid(file: string, fault: string, cause?: unknown): UserError {
  return new UserError('REPORT_INVALID', file, `${fault}; give a file written by \`rookery score --out\``, {
    cause,
  });
}

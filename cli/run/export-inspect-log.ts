import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'lossless-json';
import { UserError } from '../../contracts/errors.ts';
import { report as reportSchema } from '../../contracts/report.ts';
import { inspectLog } from '../../runner/export/inspect-log.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import { writeOutput } from '../score/write-output.ts';

/** Writes a run for the log viewer of Inspect AI. Throws RUN_INVALID. */
export function exportInspectLog(place: string, out: string): void {
  const folder = new RunFolder(place);
  const header = folder.readHeader();
  if (header === null)
    throw new UserError('RUN_INVALID', place, 'holds no run; give a folder that `rookery run` wrote');
  const file = join(place, 'report.json');
  const read = existsSync(file) ? reportSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : null;
  const log = inspectLog(header, [...folder.readRecords().values()], read?.success ? read.data : null);
  // Numbers of answers keep their digits; what is left is plain JSON.
  writeOutput(out, `${stringify(log, undefined, 2)}\n`);
}

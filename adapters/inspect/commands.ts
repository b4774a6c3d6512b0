import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'lossless-json';
import { UserError } from '../../contracts/errors.ts';
import { report as reportSchema } from '../../eval/metrics/report.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import { DRAWING, type DrawingFlags, drawn, type ExportFlags, exportCommand } from '../exports.ts';
import type { FormatCommand } from '../format-command.ts';
import { exportInspect } from './inspect.ts';
import { inspectLog } from './inspect-log.ts';

const logOfRun: FormatCommand<[run: string], { readonly out: string }> = {
  of: 'export',
  name: 'inspect-log',
  description: 'a run of `rookery run` as a log that the viewer of Inspect AI opens',
  arguments: [['<run>', 'folder that `rookery run` wrote']],
  options: [
    {
      flags: '-o, --out <file>',
      description: 'where to: a .json file, in the folder of logs that the viewer is given',
      required: true,
    },
  ],
  run([place], { out }) {
    const folder = new RunFolder(place);
    const header = folder.readHeader();
    if (header === null)
      throw new UserError('RUN_INVALID', place, 'contains no run; give a folder that `rookery run` wrote');
    const file = join(place, 'report.json');
    const read = existsSync(file) ? reportSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : null;
    const log = inspectLog(header, [...folder.readRecords().values()], read?.success ? read.data : null);
    // Numbers in answers keep their source text; the rest is plain JSON.
    return { files: [{ path: out, content: `${stringify(log, undefined, 2)}\n` }] };
  },
};

export const commands = [
  exportCommand({
    name: 'inspect',
    description: 'a Python package with a task for Inspect AI',
    formulation: 'rest',
    takesRecords: true,
    options: DRAWING,
    emit: (tasks, flags: ExportFlags & DrawingFlags) =>
      exportInspect(tasks.samples, tasks, { ...drawn(flags), formulation: flags.formulation }),
  }),
  logOfRun,
];

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { report } from '../../contracts/report.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import type { LeaderboardRow } from '../../runner/table/leaderboard.ts';
import { runRow } from '../../runner/table/run-row.ts';

/** The scored runs in these folders, and in folders inside of them. Throws RUN_INVALID where there is none at all. */
export function findRuns(places: readonly string[]): LeaderboardRow[] {
  const folders = places.flatMap(foldersIn);
  if (folders.length === 0) {
    throw new UserError(
      'RUN_INVALID',
      places.join(', '),
      'holds no run; give folders that `rookery run` wrote',
    );
  }
  return folders.flatMap((folder) => {
    const header = new RunFolder(folder).readHeader();
    const file = join(folder, 'report.json');
    if (header === null || !existsSync(file)) {
      process.stderr.write(`${folder}: left out, it has not been scored\n`);
      return [];
    }
    const read = report.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (!read.success)
      throw new UserError('REPORT_INVALID', file, 'is of another version; run it again with --replay');
    return [runRow(folder, header, read.data)];
  });
}

function foldersIn(place: string): string[] {
  if (!existsSync(place) || !statSync(place).isDirectory()) return [];
  if (existsSync(join(place, 'run.json'))) return [place];
  return readdirSync(place)
    .sort()
    .flatMap((name) => foldersIn(join(place, name)));
}

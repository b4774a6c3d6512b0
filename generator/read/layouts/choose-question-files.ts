import { basename } from 'node:path';
import { UserError } from '../../../contracts/errors.ts';
import { filesIn } from '../files/folder.ts';

/**
 * The JSON files of a folder, or those with a record a line where there are no others, that may hold questions, best first: the well-known names in their order, else the only
 * one, else the only one with the hint in its name. UserError when several qualify.
 */
export function chooseQuestionFiles(folder: string, known: readonly string[], hint?: string): string[] {
  const all = filesIn(folder).filter((file) => isQuestionsFile(basename(file)));
  const json = all.filter((file) => file.endsWith('.json'));
  // Whoever has both has the same in both.
  const files = json.length > 0 ? json : all;
  const best = known.flatMap((name) => files.filter((file) => basename(file).replace(/l$/, '') === name));
  if (best.length > 0 || files.length <= 1) return best.length > 0 ? best : files;

  const hinted = hint === undefined ? [] : files.filter((file) => basename(file).includes(hint));
  if (hinted.length === 1) return hinted;
  const names = files.map((file) => basename(file)).join(', ');
  throw new UserError(
    'SPLIT_FORMAT_UNKNOWN',
    folder,
    `holds several questions files (${names}); give the path of one of them instead of the folder`,
  );
}

/** `dev_tables.json` holds schemas; `fetch.json` is the record that fetching leaves behind. */
function isQuestionsFile(name: string): boolean {
  return /\.jsonl?$/.test(name) && !/(^|_)tables\.jsonl?$/.test(name) && name !== 'fetch.json';
}

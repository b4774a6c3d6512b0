import { relative } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { SplitFormat } from '../../contracts/split.ts';
import { findDatabases } from '../read/layouts/find-databases.ts';
import { findLayout } from '../read/layouts/find-layout.ts';
import { numberQuestions } from '../read/questions/number-questions.ts';

/** UserError unless a folder holds a split of a format: its questions can be read and their databases are there. */
export function checkSplit(source: string, folder: string, format: SplitFormat): void {
  try {
    const found = findLayout(folder, format);
    const { questionsFile } = found.place;
    findDatabases(found, numberQuestions(questionsFile, found.layout.readQuestions(found.place)));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // The folder will be removed, so name the source and the file in it.
    const inside = relative(folder, error.file);
    throw new UserError(error.code, source, inside === '' ? error.message : `${inside}: ${error.message}`);
  }
}

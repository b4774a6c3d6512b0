import { findDatabases } from '../../generator/read/layouts/find-databases.ts';
import { findLayout } from '../../generator/read/layouts/find-layout.ts';
import { numberQuestions } from '../../generator/read/questions/number-questions.ts';

/** The database files of a split by domain, without reading them. Throws the errors of reading the split. */
export function splitDatabases(folder: string): ReadonlyMap<string, string> {
  const found = findLayout(folder);
  const { layout, place } = found;
  const all = numberQuestions(place.questionsFile, layout.readQuestions(place));
  return findDatabases(found, all);
}

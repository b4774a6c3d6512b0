import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { invalid } from './bfcl-files.ts';
import { type FileCategory, categoryNameOf, categoryOf } from './categories.ts';

/** A result file with the files it is scored against. */
export interface BfclTask {
  readonly model: string;
  readonly category: FileCategory;
  readonly questions: string;
  /** null where the category has no answers. */
  readonly answers: string | null;
  readonly results: string;
}

export interface BfclTasks {
  readonly tasks: readonly BfclTask[];
  readonly leftOut: readonly { readonly file: string; readonly reason: string }[];
}

/**
 * Pairs result files with questions and answers by the category in their names. Each place is a file or a folder; a
 * folder of results may hold several models, `<model>/<group>/BFCL_v4_<category>_result.json`, as BFCL writes them.
 *
 * @throws BFCL_FILE_INVALID where a file is missing, or its name has no category.
 */
export function findTasks(questions: string, answers: string, results: string): BfclTasks {
  const tasks: BfclTask[] = [];
  const leftOut: { file: string; reason: string }[] = [];
  for (const file of resultFiles(results)) {
    const name = categoryNameOf(file);
    if (name === null)
      throw invalid(file, 'has no category in its name; BFCL calls it BFCL_v4_<category>_result.json');
    const category = categoryOf(name);
    if ('leftOut' in category) {
      leftOut.push({ file, reason: category.leftOut });
      continue;
    }
    const hasAnswers = category.checker !== 'relevance' && category.checker !== 'irrelevance';
    tasks.push({
      model: modelOf(results, file),
      category,
      questions: fileFor(questions, category, 'questions'),
      answers: hasAnswers ? fileFor(answers, category, 'possible answers') : null,
      results: file,
    });
  }
  if (tasks.length === 0 && leftOut.length === 0)
    throw invalid(results, 'holds no result file BFCL_v4_<category>_result.json');
  return { tasks, leftOut };
}

function resultFiles(place: string): string[] {
  if (!existsSync(place)) throw invalid(place, 'is not there');
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => /_result\.jsonl?$/.test(name) && categoryNameOf(name) !== null)
    .sort()
    .map((name) => join(place, name));
}

/** The file itself, or the one of a folder that is for the category. */
function fileFor(place: string, category: FileCategory, what: string): string {
  if (!existsSync(place)) throw invalid(place, 'is not there');
  if (!statSync(place).isDirectory()) return place;
  const name = readdirSync(place)
    .sort()
    .find((each) => isFor(each, category));
  if (name === undefined)
    throw invalid(place, `holds no ${what} of ${category.name}: BFCL_v4_${category.name}.json`);
  return join(place, name);
}

function isFor(file: string, { name }: FileCategory): boolean {
  const found = categoryNameOf(file);
  const category = found === null || /_(?:result|score)\.jsonl?$/.test(file) ? null : categoryOf(found);
  return category !== null && 'name' in category && category.name === name;
}

/** The folders between the results and the file, without BFCL's groups; the folder of results itself where there are none. */
function modelOf(results: string, file: string): string {
  const folders = relative(results, file).split(sep).slice(0, -1);
  const own = folders.filter((folder) => !GROUPS.has(folder));
  const above = file === results ? basename(file).replace(/\.jsonl?$/, '') : basename(results);
  return own.length > 0 ? own.join('/') : above;
}

const GROUPS = new Set([
  'non_live',
  'live',
  'multi_turn',
  'agentic',
  'memory',
  'web_search',
  'format_sensitivity',
]);

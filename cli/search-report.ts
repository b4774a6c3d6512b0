import {
  agentOptions,
  loadFarm,
  measureSearch,
  RECALL_DEPTHS,
  type Recall,
  type SearchRecall,
} from '../services/index.ts';
import { createProgress } from './progress.ts';
import { textTable } from './text-table.ts';

/**
 * How often `search_tools` finds the tool that a question needs, among the endpoints of a farm and of `others`. Throws as
 * loadFarm.
 */
export async function searchOf(folder: string, others: readonly string[]): Promise<SearchRecall> {
  const farm = await loadFarm(folder);
  const source = agentOptions(farm, {}).tasks;
  const tasks = source.dbs
    .flatMap((db) => source.open(db).readAll())
    .filter(({ formulation }) => formulation === 'rest');
  const more = await Promise.all(others.map((other) => loadFarm(other)));
  const own = farm.domains.map(({ service }) => service);
  const names = new Set(own.map(({ db }) => db));
  // A domain that both have is one domain.
  const added = more
    .flatMap(({ domains }) => domains.map(({ service }) => service))
    .filter(({ db }) => {
      const isNew = !names.has(db);
      names.add(db);
      return isNew;
    });
  const progress = createProgress();
  let done = 0;
  try {
    return measureSearch([...own, ...added], tasks, {
      onTask: () => progress.update('searching', ++done, tasks.length),
    });
  } finally {
    progress.stop();
  }
}

/** The shares as a table for a terminal. */
export function searchReport({ tools, question, evidence, domains }: SearchRecall): string {
  const row = (name: string, { questions, found }: Recall) => [
    name,
    questions,
    ...found.map((count) => (questions === 0 ? '–' : `${((100 * count) / questions).toFixed(1)} %`)),
  ];
  const rows = [
    ...[...domains].sort(([a], [b]) => (a < b ? -1 : 1)).map(([db, recall]) => row(db, recall)),
    row('all, by the question', question),
    row('all, by question and evidence', evidence),
  ];
  const heads = RECALL_DEPTHS.map((depth) => (depth === 1 ? 'first' : `first ${depth}`));
  return `Found by search_tools among ${tools} tools\n${textTable(['query', 'questions', ...heads], rows)}\n`;
}

import type { Formulation, TaskPage, ToolAnswer } from '../../client/index.ts';
import { withHandles } from '../chain.ts';
import { callTool, catalogOf, farm, goldOf, toolsPath } from '../farm.ts';
import type { Filled } from './try-it.tsx';

/**
 * For the harness: the arguments with which the first task's gold uses a tool, after the calls that it needs were made;
 * undefined if no gold uses it. Throws RookeryError.
 */
export async function goldCallOf(db: string, formulation: string, tool: string): Promise<Filled | undefined> {
  const wanted = new URLSearchParams({ db, formulation, tool, all: 'true', limit: '1' });
  const { tasks } = await farm().get<TaskPage>(`/tasks?${wanted}`);
  const [task] = tasks;
  if (!task) return undefined;
  const { split } = await catalogOf(db);
  const handles = new Map(task.start_tables.map(({ label, handle }) => [label, handle]));
  for (const { name, arguments: labelled, label } of (await goldOf(task.sample_id)).output) {
    const args = withHandles(labelled, handles) as Record<string, unknown>;
    if (name === tool) return filledWith(args);
    if (label === undefined) continue;
    const path = `${toolsPath(split, db, formulation as Formulation)}/${encodeURIComponent(name)}`;
    handles.set(label, (await callTool<ToolAnswer>(path, args)).handle);
  }
  return undefined;
}

function filledWith(args: Readonly<Record<string, unknown>>): Filled {
  const given = Object.entries(args).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)]),
  );
  return { given: new URLSearchParams(given), body: JSON.stringify(args, null, 2) };
}

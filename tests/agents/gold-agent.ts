import type { ClientTask } from '../../client/index.ts';
import { assembleAnswer, mapReferences } from '../../contracts/answer-rows.ts';
import type { Row } from '../../contracts/catalog.ts';
import { queryAnswer } from '../../contracts/formulations.ts';
import type { Sample } from '../../contracts/sample.ts';
import { restAnswer } from '../../contracts/service.ts';
import { type ToolAnswer, toolAnswer } from '../../contracts/tools.ts';

/** Whatever carries out a call for the agent; `offset` pages through a long column. Throws when the call fails. */
export type SendCall = (name: string, args: Record<string, unknown>, offset?: number) => Promise<unknown>;

/**
 * An agent that knows the gold calls of the eval file and nothing else about the farm: it makes them as any agent
 * would, with the handles it was answered for labels, and gives the rows of the results that no other call uses.
 */
export async function playGold(
  sample: Sample,
  task: ClientTask,
  columns: readonly string[],
  send: SendCall,
): Promise<Row[]> {
  if (sample.formulation === 'rest') return playRest(sample, columns, send);
  if (sample.formulation === 'query' || sample.formulation === 'hybrid') return playQuery(sample, send);
  const handles = new Map(task.start_tables.map(({ label, handle }) => [label, handle]));
  const answers: ToolAnswer[] = [];
  for (const call of sample.output) {
    const args = mapReferences(call.arguments, (label) => {
      const handle = handles.get(label);
      return handle === undefined ? undefined : `$${handle}$`;
    }) as Record<string, unknown>;
    const answer = await whole(await send(call.name, args).then((body) => toolAnswer.parse(body)), (offset) =>
      send(call.name, args, offset),
    );
    answers.push(answer);
    if (call.label !== undefined) handles.set(call.label, answer.handle);
  }
  const rows = assembleAnswer(sample.output, answers);
  if (!rows) throw new Error(`${sample.sample_id}: the results do not make rows`);
  return rows;
}

async function playRest({ output }: Sample, columns: readonly string[], send: SendCall): Promise<Row[]> {
  let rows: Row[] = [];
  for (const { name, arguments: args } of output) {
    const { data } = restAnswer.parse(await send(name, args));
    // By name: an object's own order puts keys that look like numbers first.
    rows = data.map((row) => columns.map((column) => row[column] ?? null));
  }
  return rows;
}

async function playQuery({ output }: Sample, send: SendCall): Promise<Row[]> {
  let rows: Row[] = [];
  for (const { name, arguments: args } of output) {
    const { columns, data } = queryAnswer.parse(await send(name, args));
    rows = data.map((row) => columns.map((column) => row[column] ?? null));
  }
  return rows;
}

async function whole(first: ToolAnswer, page: (offset: number) => Promise<unknown>): Promise<ToolAnswer> {
  if (first.kind !== 'column') return first;
  const values = [...first.values];
  for (let at = first.next_offset; at !== null; ) {
    const next = toolAnswer.parse(await page(at));
    if (next.kind !== 'column') throw new Error('a column went on as something else');
    values.push(...next.values);
    at = next.next_offset;
  }
  return { ...first, values };
}

import { assembleAnswer, mapReferences } from '../../../contracts/assemble-answer.ts';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import type { Sample } from '../../../contracts/sample.ts';
import type { ToolAnswer } from '../../../contracts/tools.ts';
import { restRows } from '../../attempt/rest-rows.ts';
import { readToolAnswer, type ToolSession } from '../../attempt/tool-session.ts';
import type { RunTask } from '../../categories/composition.ts';
import type { Agent, AgentContext, Attempt } from '../agent.ts';
import { isApart } from '../hybrid/hybrid-tools.ts';
import { oneByOne } from '../shared/one-by-one.ts';
import { fetchApart } from './fetch-apart.ts';

/** Makes the gold calls live and answers their rows: the ceiling, and proof that a farm is fit to examine. */
export const oracleAgent: Agent = {
  name: 'oracle',
  needsModel: false,
  needsFolder: true,
  takesComposed: true,
  attempt,
  begin: (context) => oneByOne(context, attempt),
};

async function attempt(context: AgentContext): Promise<Attempt> {
  const { task, golds, openRun, offeredCall } = context;
  const session = await openRun();
  const due = golds();
  // Where nothing can be called, nothing is.
  if (due.length === 0) return { calls: [] };
  const answers: unknown[] = [];
  for (const sample of due) {
    const isHybridApart = sample.formulation === 'hybrid' && isApart(context);
    answers.push(
      isHybridApart
        ? await fetchApart(sample, session, context)
        : await play(sample, task, { session, offeredCall }),
    );
  }
  return { answer: task.composition === undefined ? answers[0] : answers };
}

async function play(
  sample: Sample,
  task: RunTask,
  { session, offeredCall }: { readonly session: ToolSession } & Pick<AgentContext, 'offeredCall'>,
): Promise<unknown> {
  const handles = new Map(task.start_tables.map(({ label, handle }) => [label, handle]));
  const answers: ToolAnswer[] = [];
  let rows: unknown = null;
  for (const call of sample.output) {
    const args = mapReferences(call.arguments, (label) => {
      const handle = handles.get(label);
      return handle === undefined ? undefined : `$${handle}$`;
    });
    const offered = offeredCall({
      name: call.name,
      arguments: args as Sample['output'][number]['arguments'],
    });
    const given = printExactJson(offered.arguments);
    if (FORMULATIONS[sample.formulation].calls === 'single') {
      rows = await session.obtain(offered.name, given, restRows);
      continue;
    }
    const answer = await session.obtain(offered.name, given, readToolAnswer);
    const values = answer.kind === 'column' ? await session.wholeColumn(answer.handle) : null;
    answers.push(answer.kind === 'column' && values !== null ? { ...answer, values: [...values] } : answer);
    if (call.label !== undefined) handles.set(call.label, answer.handle);
  }
  return FORMULATIONS[sample.formulation].calls === 'single' ? rows : assembleAnswer(sample.output, answers);
}

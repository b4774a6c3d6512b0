import { assembleAnswer, mapReferences } from '../../../contracts/assemble-answer.ts';
import { type ToolAnswer, toolAnswer } from '../../../contracts/tools.ts';
import { restRows } from '../../attempt/rest-rows.ts';
import type { Agent } from '../agent.ts';

/** Makes the gold calls live and answers their rows: the ceiling, and proof that a farm is fit to examine. */
export const oracleAgent: Agent = {
  name: 'oracle',
  needsModel: false,
  needsFolder: true,
  async attempt({ task, gold, openRun }) {
    const sample = gold();
    const session = await openRun();
    const handles = new Map(task.start_tables.map(({ label, handle }) => [label, handle]));
    const answers: ToolAnswer[] = [];
    let rows: unknown = null;
    for (const call of sample.output) {
      const args = mapReferences(call.arguments, (label) => {
        const handle = handles.get(label);
        return handle === undefined ? undefined : `$${handle}$`;
      });
      const { ok, text } = await session.call(call.name, JSON.stringify(args));
      if (!ok) throw new Error(`the gold call ${call.name} was answered with ${text.slice(0, 300)}`);
      if (sample.formulation === 'rest') {
        rows = restRows(text);
        continue;
      }
      const answer = toolAnswer.parse(JSON.parse(text));
      const values = answer.kind === 'column' ? await session.wholeColumn(answer.handle) : null;
      answers.push(answer.kind === 'column' && values !== null ? { ...answer, values: [...values] } : answer);
      if (call.label !== undefined) handles.set(call.label, answer.handle);
    }
    return { answer: sample.formulation === 'rest' ? rows : assembleAnswer(sample.output, answers) };
  },
};

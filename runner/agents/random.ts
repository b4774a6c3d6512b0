import { FORMULATIONS } from '../../contracts/formulations.ts';
import { type ModelTool, parametersOf, type ToolParameter } from '../models/model.ts';
import { Seeded } from '../seeded.ts';
import type { Agent, AgentContext, Attempt } from './agent.ts';
import { oneByOne, requestsIn } from './conversation.ts';

/**
 * Random calls with arguments of the right type: the lower bound. REST: one call; SLOT and SEL: a chain of
 * one to three tools. Nothing is executed before scoring.
 */
export const randomAgent: Agent = {
  name: 'random',
  needsModel: false,
  needsFolder: false,
  takesComposed: true,
  answersByCalls: true,
  attempt,
  begin: (context) => oneByOne(context, attempt),
};

/** Makes no call and says that it is done: nothing is right that can be had without a change. */
export const nothingAgent: Agent = {
  name: 'nothing',
  needsModel: false,
  needsFolder: false,
  attempt: async () => ({ answer: 'done', calls: [] }),
};

async function attempt({ task, tools, seed, epoch }: AgentContext): Promise<Attempt> {
  const chance = new Seeded(seed, `random ${task.sample_id} ${task.question} ${epoch}`);
  if (FORMULATIONS[task.formulation].calls === 'single') {
    return {
      calls: requestsIn(task).flatMap((question) => {
        const tool = chance.pick(tools);
        return tool === undefined ? [] : [callOf(tool, question, chance, null)];
      }),
    };
  }
  const count = 1 + chance.integer(3);
  let source = `$${task.start_tables[0]?.label ?? 'starting_table_var'}$`;
  const calls = Array.from({ length: count }, (_, i) => {
    const tool = chance.pick(tools);
    if (tool === undefined) return null;
    const label = `R${i}`;
    const call = { ...callOf(tool, task.question, chance, source), label };
    source = `$${label}$`;
    return call;
  });
  return { calls: calls.filter((call) => call !== null) };
}

function callOf(tool: ModelTool, question: string, chance: Seeded, source: string | null) {
  const chosen = parametersOf(tool).filter(({ required }) => required || chance.integer(2) === 0);
  const args = chosen.map((parameter) => [parameter.name, argument(parameter, question, chance, source)]);
  return { name: tool.name, arguments: Object.fromEntries(args) };
}

function argument(
  parameter: ToolParameter,
  question: string,
  chance: Seeded,
  source: string | null,
): unknown {
  if (source !== null && /^data_source|^(?:unique|truncate)_array$/.test(parameter.name)) return source;
  if (parameter.values.length > 0) return chance.pick(parameter.values);
  if (parameter.type === 'integer' || parameter.type === 'number') return chance.integer(100);
  if (parameter.type === 'boolean') return chance.integer(2) === 0;
  const word = chance.pick(question.split(/\s+/)) ?? '';
  return parameter.type === 'array' ? [word] : word;
}

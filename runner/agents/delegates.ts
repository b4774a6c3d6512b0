import { z } from 'zod';
import { printExactJson } from '../../contracts/exact-json.ts';
import { EXECUTE_SQL } from '../../contracts/formulations.ts';
import { tryJson } from '../../eval/parse/read-json.ts';
import type { ModelSession } from '../attempt/model-session.ts';
import { lastJson } from '../attempt/read-json.ts';
import type { CallOutcome, ToolCaller } from '../attempt/tool-session.ts';
import type { ModelTool } from '../models/model.ts';
import { functionText } from '../prompts/function-text.ts';
import type { AgentContext } from './agent.ts';
import { failed, findSql, replyTo } from './sql.ts';

/** The tools of siwarex's agent: a model of its own stands behind two of them, and the third carries out any call. */
export interface Delegates {
  readonly tools: readonly ModelTool[];
  readonly caller: ToolCaller;
  /** What there is to ask about: the tables of the database, and the APIs with a line for each. */
  readonly overview: string;
}

const question = z.object({ question: z.string().trim().min(1) });
const apiCall = z.object({ api_name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });

const tool = (name: string, description: string, parameters: z.ZodType): ModelTool => {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input' });
  return { name, description, parameters: schema };
};

const TEXT2SQL = 'text2sql';
const PROPOSE = 'propose_call';
const EXECUTE_API = 'execute_api';
const TOOLS: readonly ModelTool[] = [
  tool(
    TEXT2SQL,
    'Answers a question about the tables of the database alone: SQL is written for it and carried out.',
    question,
  ),
  tool(PROPOSE, 'Says which APIs to call for a question, and with which arguments. It calls none.', question),
  tool(EXECUTE_API, 'Calls an API, and answers what the API does.', apiCall),
];

/** `tables`: the description of the tables that `execute_sql` reads. */
export function delegates(
  { tools, offeredCall, settings }: Pick<AgentContext, 'tools' | 'offeredCall' | 'settings'>,
  inner: ModelSession,
  session: ToolCaller,
  tables: string,
): Delegates {
  const sqlTool = offeredCall({ name: EXECUTE_SQL, arguments: {} }).name;
  const apis = tools.filter(({ name }) => name !== sqlTool);
  const carryOut: Readonly<Record<string, (args: string) => Promise<CallOutcome>>> = {
    [TEXT2SQL]: (args) =>
      reading(question, args, async (asked) => {
        const values = { SCHEMA: tables, EVIDENCE: '', QUERY: asked.question };
        const said = await replyTo(inner, ['nl2sql.txt', 'sql'], values);
        const sql = findSql(said);
        if (sql === null) return failed('no SQL could be written for this question');
        return session.call(sqlTool, printExactJson({ sql }));
      }),
    [PROPOSE]: (args) =>
      reading(question, args, async (asked) => {
        const values = { FUNCTIONS: functionText(apis, settings.tool_style), QUERY: asked.question };
        const said = await replyTo(inner, ['propose.txt', 'json_list'], values);
        return { ok: true, text: proposal(said), handle: null };
      }),
    [EXECUTE_API]: (args) =>
      reading(apiCall, args, (call) => session.call(call.api_name, printExactJson(call.arguments))),
  };
  return {
    tools: TOOLS,
    caller: {
      call: async (name, args) => carryOut[name]?.(args) ?? failed(`there is no tool ${name.slice(0, 64)}`),
    },
    overview: [
      tables,
      `APIs:\n${apis.map(({ name, description }) => `- ${name}: ${description.split('\n')[0]}`).join('\n')}`,
    ].join('\n\n'),
  };
}

/** The calls in a reply, as `execute_api` takes them; else the reply itself. */
function proposal(said: string): string {
  const read = proposed.safeParse(lastJson(said));
  if (!read.success) return said;
  return printExactJson(read.data.map((each) => ({ api_name: each.name, arguments: each.arguments })));
}

const proposedCall = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });
const proposed = z.union([z.array(proposedCall), proposedCall.transform((call) => [call])]);

async function reading<T>(
  schema: z.ZodType<T>,
  args: string,
  work: (read: T) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const read = schema.safeParse(tryJson(args));
  if (read.success) return work(read.data);
  const [issue] = read.error.issues;
  return failed(`the arguments are wrong: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

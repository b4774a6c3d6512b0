import { z } from 'zod';
import { OptionError } from '../../contracts/errors.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import { EXECUTE_SQL, RUN_SQL } from '../../contracts/formulations.ts';
import { ANSWER_FORMAT } from '../../contracts/prediction.ts';
import { restRows } from '../attempt/read-json.ts';
import {
  type Decoding,
  type Message,
  type ModelTool,
  parametersOf,
  type ReplyFormat,
} from '../models/model.ts';
import { functionText } from '../prompts/function-text.ts';
import type { Language } from '../prompts/prompt-pack.ts';
import type { Agent, AgentContext, Attempt } from './agent.ts';
import { converse, readFinalAnswer, taskText } from './conversation.ts';
import { type Delegates, delegates } from './delegates.ts';
import { reactAgent, reactText } from './react.ts';
import { askedIn, findSql, replyTo } from './sql.ts';
import { TOOLS_SYSTEM, toolsAgent } from './tools.ts';

/** The tool of a hybrid task with this real name; null if it is not offered. */
export function offeredTool(
  name: string,
  { callable, offeredCall }: Pick<AgentContext, 'callable' | 'offeredCall'>,
): ModelTool | null {
  const shown = offeredCall({ name, arguments: {} }).name;
  return callable.find((tool) => tool.name === shown) ?? null;
}

/** The schema of one input of a scalar API, whatever its name; null for other tools. */
export function inputsOf({ parameters }: ModelTool): Schema | null {
  const read = withInputs.safeParse(parameters);
  if (!read.success) return null;
  const [items] = Object.values(read.data.properties).flatMap(
    (each) => listOfObjects.safeParse(each).data ?? [],
  );
  return items?.items ?? null;
}

type Schema = Readonly<Record<string, unknown>>;
const withInputs = z.object({ properties: z.record(z.string(), z.unknown()) });
const listOfObjects = z.object({ items: z.looseObject({ properties: z.looseObject({}) }) });

/** Whether the agent has to combine the data itself, without `run_sql`. */
export function isApart(context: Pick<AgentContext, 'callable' | 'offeredCall'>): boolean {
  return offeredTool(RUN_SQL, context) === null;
}

/**
 * The program in a model's output: the last fenced block in the language, else all of it if it prints; null if there is
 * none. Thoughts before `</think>` are ignored.
 */
export function findProgram(output: string, language: Language): string | null {
  const end = output.lastIndexOf('</think>');
  const text = end < 0 ? output : output.slice(end + '</think>'.length);
  const fenced = [...text.matchAll(FENCED[language])].at(-1)?.[1];
  const code = fenced ?? (/\bprint\s*\(/.test(text) ? text : '');
  return code.trim() === '' ? null : code.trim();
}

const FENCED: Readonly<Record<Language, RegExp>> = {
  javascript: /```(?:js|javascript)?[ \t]*\n([\s\S]*?)(?:```|$)/gi,
  python: /```(?:py|python3?)?[ \t]*\n([\s\S]*?)(?:```|$)/gi,
};

const APART = [
  'Some tables are in a database, which one tool reads by SQL; the others are behind tools of their own, a page at a time.',
  'No tool sees both: put together yourself what you have fetched.',
].join('\n');

const DELEGATED = [
  'You answer a question about data. Some tables are in a database, the others behind APIs. You write no SQL yourself:',
  'take the question apart, ask text2sql about the tables, have propose_call choose APIs, and call them with execute_api.',
  'No tool sees both: put together yourself what you have fetched.',
].join('\n');
const NAMES_OF_RESULTS = [
  ANSWER_FORMAT,
  'If a result is too long to repeat, write its name in place of the rows: "$call_3$" for what the third call of text2sql',
  'or execute_api answered.',
].join('\n');

/** An attempt by tools behind which the inner model stands; null without one. */
async function delegated(
  context: AgentContext,
  hold: (made: Delegates, question: string) => Promise<string>,
): Promise<Attempt | null> {
  const { inner, task, openRun } = context;
  if (inner === null) return null;
  const session = await openRun();
  const sqlTool = offeredTool(EXECUTE_SQL, context);
  const tables = sqlTool === null ? `${TABLES}none` : tablesOf(sqlTool);
  const text = await hold(delegates(context, inner, session, tables), taskText(task));
  return { answer: await readFinalAnswer(text, session), rawOutput: text };
}

/** Separate native calls to the database and the APIs. */
export const agenticAgent: Agent = {
  name: 'agentic',
  needsModel: true,
  mode: 'native',
  needsFolder: false,
  formulations: ['hybrid'],
  attempt: async (context) => {
    const { model, settings } = context;
    const attempt = await delegated(context, ({ tools, caller, overview }, question) => {
      const system = settings.system ?? `${DELEGATED}\n${NAMES_OF_RESULTS}`;
      const messages: Message[] = [
        { role: 'system', text: `${system}\n\n${overview}` },
        { role: 'user', text: question },
      ];
      return converse(messages, { model, tools, caller, settings });
    });
    if (attempt !== null) return attempt;
    const system = settings.system ?? `${TOOLS_SYSTEM}\n${APART}`;
    return toolsAgent.attempt({ ...context, settings: { ...settings, system } });
  },
};

/** The same as text, one action per turn. */
export const agenticReactAgent: Agent = {
  name: 'agentic-react',
  needsModel: true,
  mode: 'prompt',
  needsFolder: false,
  formulations: ['hybrid'],
  attempt: async (context) => {
    const { model, settings } = context;
    const attempt = await delegated(context, ({ tools, caller, overview }, question) =>
      reactText({ model, tools, caller, settings }, `${question}\n\n${DELEGATED}\n\n${overview}`),
    );
    return attempt ?? reactAgent.attempt(context);
  },
};

/** How scalar APIs appear in a statement. */
type Form = Extract<ReplyFormat, 'sql' | 'virtual_sql'>;

const FORMS: Readonly<Record<Form, string>> = {
  virtual_sql:
    'These APIs are tables of their inputs and their value, or the columns of their list. They have rows for given inputs only: join every input to a column, or compare it with a value, as in JOIN count_syllables AS s ON s.string = p.name. Booleans are 1 and 0.',
  sql: 'These APIs are functions, as in count_syllables(p.name) = 3. Booleans are 1 and 0. Those of lists are tables of their inputs and the columns of the list: join every input to a column, or compare it with a value, as in JOIN list_words AS w ON w.string = p.name.',
};

/** One statement over all tables, including those behind APIs; scalar APIs appear as tables. */
export const declarativeAgent: Agent = declarative('declarative', 'virtual_sql');
/** The same, with scalar APIs as functions. */
export const declarative2Agent: Agent = declarative('declarative2', 'sql');

function declarative(name: string, form: Form): Agent {
  return {
    name,
    needsModel: true,
    needsFolder: false,
    formulations: ['hybrid'],
    async attempt(context) {
      const { task, model, openRun, offeredCall } = context;
      const values = { SCHEMA: await schemaText(context, form), ...askedIn(task) };
      const rawOutput = await replyTo(model, ['declarative.txt', form], values);
      const sql = findSql(rawOutput);
      // A reply without SQL is a wrong answer, not an unreadable one.
      if (sql === null) return { calls: [], rawOutput, answer: null };
      const session = await openRun();
      const call = offeredCall({ name: RUN_SQL, arguments: { sql } });
      const { ok, text } = await session.call(call.name, printExactJson(call.arguments));
      return { sql, rawOutput, answer: ok ? restRows(text) : null };
    },
  };
}

async function schemaText(context: AgentContext, form: Form): Promise<string> {
  const { task, settings, callable, data } = context;
  const tool = offeredTool(RUN_SQL, context);
  if (tool === null)
    throw new OptionError('--variant', `leaves out ${RUN_SQL}, which carries statements out`);
  const scalars = callable
    .filter((each) => inputsOf(each) !== null)
    .map((each) => `- ${each.description ?? each.name}`);
  return [
    tablesOf(tool),
    scalars.length > 0 ? `${FORMS[form]}\n${scalars.join('\n')}` : '',
    settings.sample_rows > 0
      ? `The first rows:\n${await data().firstRows(task.db, settings.sample_rows)}`
      : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The list of tables in the description of the tool, or of its argument. */
function tablesOf(tool: ModelTool): string {
  const texts = [tool.description ?? '', ...parametersOf(tool).map(({ description }) => description)];
  const found = texts.find((text) => text.includes(TABLES)) ?? '';
  return found.slice(found.indexOf(TABLES));
}

const TABLES = 'Tables:\n';

const IMPERATIVE_DECODING: Decoding = { temperature: 0, max_tokens: 4000 };

/** One program, which calls the database and the APIs as functions and prints the rows. */
export const imperativeAgent: Agent = {
  name: 'imperative',
  needsModel: true,
  needsFolder: false,
  needsPrograms: true,
  formulations: ['hybrid'],
  async attempt({ task, tools, settings, model, openRun, runProgram, signal }) {
    const { language } = settings;
    const values = { FUNCTIONS: functionText(tools, settings.tool_style), ...askedIn(task) };
    const rawOutput = await replyTo(model, PROGRAMS[language], values, IMPERATIVE_DECODING);
    const code = findProgram(rawOutput, language);
    if (code === null) return { calls: [], rawOutput, answer: null };
    const session = await openRun();
    const outcome = await runProgram({
      code,
      language,
      functions: tools.map(({ name }) => name),
      call: (name, args) => session.call(name, args),
      timeoutMs: session.remainingMs,
      signal,
    });
    if ('rows' in outcome) return { rawOutput, answer: outcome.rows };
    // Its intermediate calls are not the answer.
    return { calls: [], rawOutput: `${rawOutput}\n\n${outcome.fault}`, answer: null };
  },
};

const PROGRAMS = {
  javascript: ['imperative.txt', 'program'],
  python: ['imperative-python.txt', 'python_program'],
} as const satisfies Readonly<Record<Language, readonly [file: string, reply: ReplyFormat]>>;

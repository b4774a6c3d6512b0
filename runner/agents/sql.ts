import { z } from 'zod';
import type { ClientTask } from '../../client/index.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import { tryJson } from '../../eval/parse/read-json.ts';
import type { ModelSession } from '../attempt/model-session.ts';
import { tryParse } from '../attempt/read-json.ts';
import type { ToolCaller } from '../attempt/tool-session.ts';
import type { RunTask } from '../categories/composition.ts';
import { type Decoding, type ModelTool, type ReplyFormat, textOf } from '../models/model.ts';
import { type AgentSettings, renderPrompt } from '../prompts/prompt-pack.ts';
import { nl2sqlTemplate, readTemplateText } from '../prompts/read-pack.ts';
import type { Agent, FarmData } from './agent.ts';
import { reactLoop } from './react.ts';

/**
 * The SQL in a model's output: the first ```` ```sql ```` block, else the text from the first SELECT or WITH
 * to a `;`, else null. Thoughts before `</think>` are ignored.
 */
export function findSql(output: string): string | null {
  const end = output.lastIndexOf('</think>');
  const text = end < 0 ? output : output.slice(end + '</think>'.length);
  const fenced = /```(?:sql|sqlite)?[ \t]*\n([\s\S]*?)(?:```|$)/i.exec(text)?.[1];
  const from = fenced ?? text;
  const start = /\b(?:SELECT|WITH)\b/i.exec(from)?.index;
  if (start === undefined) return null;
  const sql = from.slice(start);
  return sql.slice(0, endOfStatement(sql)).trim();
}

/** Position of the first unquoted `;`, or the end. */
function endOfStatement(sql: string): number {
  let quote: string | null = null;
  for (let at = 0; at < sql.length; at++) {
    const char = sql[at] ?? '';
    if (quote !== null) {
      if (char === quote) quote = null;
    } else if (char === "'" || char === '"' || char === '`') quote = char;
    else if (char === '[') quote = ']';
    else if (char === ';') return at;
  }
  return sql.length;
}

/** The prompt's description of a database: its tables and, if enabled, column descriptions and sample rows. */
export async function databaseText(
  { db }: Pick<ClientTask, 'db'>,
  data: FarmData,
  { schema, sample_rows }: AgentSettings,
): Promise<string> {
  const descriptions = schema === 'ddl' ? '' : await data.descriptions(db);
  return [
    await data.ddl(db),
    descriptions === '' ? '' : `What the columns mean:\n${descriptions}`,
    sample_rows > 0 ? `The first rows:\n${await data.firstRows(db, sample_rows)}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const NL2SQL_DECODING: Decoding = { temperature: 0, max_tokens: 1500 };

/** The reply to a prompt of `prompts/nl2sql/` without tools. */
export async function replyTo(
  model: ModelSession,
  [file, reply]: readonly [file: string, reply: ReplyFormat],
  values: Readonly<Record<string, string>>,
  decoding = NL2SQL_DECODING,
): Promise<string> {
  const { transport } = model;
  const prompt = renderPrompt(nl2sqlTemplate(file, reply), { values, transport, toolsIn: 'prompt' });
  return textOf(await model.complete({ prompt, tools: [], decoding }, reply));
}

/** The evidence and question of a task, as such a prompt has them. */
export const askedIn = ({ question, evidence }: Pick<RunTask, 'question' | 'evidence'>) => ({
  EVIDENCE: evidence ? `${evidence}\n` : '',
  QUERY: question,
});

/** A baseline without tools: the model writes one SELECT from schema and question; its rows are the answer. */
export const nl2sqlAgent: Agent = {
  name: 'nl2sql',
  needsModel: true,
  needsFolder: true,
  async attempt({ task, settings, model, data }) {
    const access = data();
    const values = { SCHEMA: await databaseText(task, access, settings), ...askedIn(task) };
    const rawOutput = await replyTo(model, ['nl2sql.txt', 'sql'], values);
    const sql = findSql(rawOutput);
    // A reply without SQL is a wrong answer, not an unreadable one.
    if (sql === null) return { calls: [], rawOutput, answer: null };
    const result = await access.query(task.db, sql);
    return typeof result === 'string' ? { calls: [], sql, answer: null } : { sql, answer: result.rows };
  },
};

const EXECUTE_SQL: ModelTool = {
  name: 'execute_sql',
  description: 'Runs one SELECT on the SQLite database and answers its rows as JSON.',
  parameters: {
    type: 'object',
    properties: { sql: { type: 'string', description: 'one SELECT statement' } },
    required: ['sql'],
  },
};

/** The text loop with a single tool that runs SQL. The answer `"$call_2$"` means the rows of the second statement. */
export const sqlReactAgent: Agent = {
  name: 'sql-react',
  needsModel: true,
  needsFolder: true,
  async attempt({ task, settings, model, data }) {
    const access = data();
    const runs = new SqlRuns(access, task.db);
    const evidence = task.evidence ? `\n${task.evidence}` : '';
    const question = `${task.question}${evidence}\n\nThe database:\n\n${await databaseText(task, access, settings)}`;
    const template = readTemplateText('react/react.txt');
    const text = await reactLoop({
      model,
      tools: [EXECUTE_SQL],
      caller: runs,
      settings,
      template,
      question,
      format: 'sql_react',
    });
    const value = tryJson(text.trim()) ?? text.trim();
    const number = typeof value === 'string' ? /^\$call_(\d+)\$$/.exec(value)?.[1] : undefined;
    const named = number === undefined ? undefined : runs.results[Number(number) - 1];
    const sql = (named ?? runs.results.findLast(({ rows }) => rows !== null))?.sql;
    return {
      answer: named === undefined ? value : named.rows,
      ...(sql === undefined ? {} : { sql }),
    };
  },
};

const sqlArguments = z.object({ sql: z.string() });

class SqlRuns implements ToolCaller {
  readonly results: { readonly sql: string; readonly rows: readonly unknown[] | null }[] = [];
  readonly #data: FarmData;
  readonly #db: string;

  constructor(data: FarmData, db: string) {
    this.#data = data;
    this.#db = db;
  }

  async call(name: string, args: string) {
    if (name !== EXECUTE_SQL.name) return failed(`There is no tool ${name}; there is ${EXECUTE_SQL.name}.`);
    const read = sqlArguments.safeParse(tryParse(args, JSON.parse));
    if (!read.success) return failed('Give the arguments as {"sql": "SELECT …"}.');
    const result = await this.#data.query(this.#db, read.data.sql);
    this.results.push({ sql: read.data.sql, rows: typeof result === 'string' ? null : result.rows });
    return typeof result === 'string'
      ? failed(result)
      : { ok: true, text: printExactJson(result), handle: null };
  }
}

export function failed(text: string) {
  return { ok: false, text, handle: null };
}

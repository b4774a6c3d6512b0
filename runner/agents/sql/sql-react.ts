import { z } from 'zod';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { tryJson } from '../../../eval/parse/json-text.ts';
import type { ToolCaller } from '../../attempt/tool-caller.ts';
import type { ModelTool } from '../../model/model.ts';
import { readTemplateText } from '../../prompts/read-template-text.ts';
import type { Agent, FarmData } from '../agent.ts';
import { reactLoop } from '../react/react-loop.ts';
import { databaseText } from './database-text.ts';

const EXECUTE_SQL: ModelTool = {
  name: 'execute_sql',
  description: 'Runs one SELECT on the SQLite database and answers its rows as JSON.',
  parameters: {
    type: 'object',
    properties: { sql: { type: 'string', description: 'one SELECT statement' } },
    required: ['sql'],
  },
};

/** The text loop with one tool, which runs SQL. `"$call_2$"` as the answer means the rows of the second statement. */
export const sqlReactAgent: Agent = {
  name: 'sql-react',
  needsModel: true,
  needsFolder: true,
  async attempt({ task, settings, model, data }) {
    const access = data();
    const runs = new SqlRuns(access, task.db);
    const evidence = settings.evidence && task.evidence ? `\n${task.evidence}` : '';
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
    const read = sqlArguments.safeParse(parse(args));
    if (!read.success) return failed('Give the arguments as {"sql": "SELECT …"}.');
    const result = await this.#data.query(this.#db, read.data.sql);
    this.results.push({ sql: read.data.sql, rows: typeof result === 'string' ? null : result.rows });
    return typeof result === 'string'
      ? failed(result)
      : { ok: true, text: printExactJson(result), handle: null };
  }
}

function failed(text: string) {
  return { ok: false, text, handle: null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../contracts/errors.ts';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { RUN_SQL } from '../../../contracts/formulations/hybrid.ts';
import { restRows } from '../../attempt/rest-rows.ts';
import type { Decoding } from '../../model/decoding.ts';
import { type ModelTool, textOf } from '../../model/model.ts';
import type { ReplyFormat } from '../../model/reply-format.ts';
import type { PromptTemplate } from '../../prompts/prompt-pack.ts';
import { PROMPTS_FOLDER } from '../../prompts/read-pack.ts';
import { readSections } from '../../prompts/read-sections.ts';
import { renderPrompt } from '../../prompts/render-prompt.ts';
import { parametersOf } from '../../tools/parameters-of.ts';
import type { Agent, AgentContext } from '../agent.ts';
import { findSql } from '../sql/find-sql.ts';
import { offeredTool, scalarTools } from './hybrid-tools.ts';

const DECODING: Decoding = { temperature: 0, max_tokens: 1500 };

/** How scalar APIs stand in a statement. */
type Form = Extract<ReplyFormat, 'sql' | 'virtual_sql'>;

const FORMS: Readonly<Record<Form, string>> = {
  virtual_sql:
    'These APIs are tables of their inputs and their value. They have rows for given inputs only: join every input to a column, or compare it with a value, as in JOIN count_syllables AS s ON s.string = p.name. Booleans are 1 and 0.',
  sql: 'These APIs are functions, as in count_syllables(p.name) = 3. Booleans are 1 and 0.',
};

/** One statement over all tables, those behind APIs too; scalar APIs are tables in it. */
export const declarativeAgent: Agent = declarative('declarative', 'virtual_sql');
/** The same with scalar APIs as functions. */
export const declarative2Agent: Agent = declarative('declarative2', 'sql');

function declarative(name: string, form: Form): Agent {
  return {
    name,
    needsModel: true,
    needsFolder: false,
    formulations: ['hybrid'],
    async attempt(context) {
      const { task, settings, model, openRun, offeredCall } = context;
      const prompt = renderPrompt(template(), {
        values: {
          SCHEMA: await schemaText(context, form),
          EVIDENCE: settings.evidence && task.evidence ? `${task.evidence}\n` : '',
          QUERY: task.question,
        },
        transport: model.transport,
        toolsIn: 'prompt',
      });
      const completion = await model.complete({ prompt, tools: [], decoding: DECODING }, form);
      const rawOutput = textOf(completion);
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
    throw new UserError('OPTION_INVALID', '--variant', `leaves out ${RUN_SQL}, which carries statements out`);
  const scalars = scalarTools(callable).map((each) => `- ${each.description ?? each.name}`);
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

/** The list of tables that the tool describes itself, or its argument, with. */
function tablesOf(tool: ModelTool): string {
  const texts = [tool.description ?? '', ...parametersOf(tool).map(({ description }) => description)];
  const found = texts.find((text) => text.includes(TABLES)) ?? '';
  return found.slice(found.indexOf(TABLES));
}

const TABLES = 'Tables:\n';

function template(): PromptTemplate {
  const file = join(PROMPTS_FOLDER, 'nl2sql', 'declarative.txt');
  const sections = readSections(file, readFileSync(file, 'utf8'));
  return { family: 'declarative', sections, wrapper: null, stop: [], reply: 'sql' };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Decoding } from '../../model/decoding.ts';
import { textOf } from '../../model/model.ts';
import type { PromptTemplate } from '../../prompts/prompt-pack.ts';
import { PROMPTS_FOLDER } from '../../prompts/read-pack.ts';
import { readSections } from '../../prompts/read-sections.ts';
import { renderPrompt } from '../../prompts/render-prompt.ts';
import type { Agent } from '../agent.ts';
import { databaseText } from './database-text.ts';
import { findSql } from './find-sql.ts';

const NL2SQL_DECODING: Decoding = { temperature: 0, max_tokens: 1500 };

/** The baseline without tools: the schema and the question, one SELECT, whose rows are the answer. */
export const nl2sqlAgent: Agent = {
  name: 'nl2sql',
  needsModel: true,
  needsFolder: true,
  async attempt({ task, settings, model, data }) {
    const access = data();
    const evidence = settings.evidence && task.evidence ? `${task.evidence}\n` : '';
    const prompt = renderPrompt(template(), {
      values: {
        SCHEMA: await databaseText(task, access, settings),
        EVIDENCE: evidence,
        QUERY: task.question,
      },
      transport: model.transport,
      toolsIn: 'prompt',
    });
    const completion = await model.complete({ prompt, tools: [], decoding: NL2SQL_DECODING }, 'sql');
    const rawOutput = textOf(completion);
    const sql = findSql(rawOutput);
    // SQL without an answer is a wrong answer, not an unreadable one.
    if (sql === null) return { calls: [], rawOutput, answer: null };
    const result = await access.query(task.db, sql);
    return typeof result === 'string' ? { calls: [], sql, answer: null } : { sql, answer: result.rows };
  },
};

function template(): PromptTemplate {
  const file = join(PROMPTS_FOLDER, 'nl2sql', 'nl2sql.txt');
  const sections = readSections(file, readFileSync(file, 'utf8'));
  return { family: 'nl2sql', sections, wrapper: null, stop: [], reply: 'sql' };
}

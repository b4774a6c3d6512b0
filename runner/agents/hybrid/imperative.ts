import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Decoding } from '../../model/decoding.ts';
import { textOf } from '../../model/model.ts';
import { functionText } from '../../prompts/function-text.ts';
import type { PromptTemplate } from '../../prompts/prompt-pack.ts';
import { PROMPTS_FOLDER } from '../../prompts/read-pack.ts';
import { readSections } from '../../prompts/read-sections.ts';
import { renderPrompt } from '../../prompts/render-prompt.ts';
import type { Agent } from '../agent.ts';
import { findProgram } from './find-program.ts';

const DECODING: Decoding = { temperature: 0, max_tokens: 4000 };

/** One program, which calls the database and the APIs as functions and prints the rows. */
export const imperativeAgent: Agent = {
  name: 'imperative',
  needsModel: true,
  needsFolder: false,
  needsPrograms: true,
  formulations: ['hybrid'],
  async attempt({ task, tools, settings, model, openRun, runProgram, signal }) {
    const prompt = renderPrompt(template(), {
      values: {
        FUNCTIONS: functionText(tools, settings.tool_style),
        EVIDENCE: settings.evidence && task.evidence ? `${task.evidence}\n` : '',
        QUERY: task.question,
      },
      transport: model.transport,
      toolsIn: 'prompt',
    });
    const completion = await model.complete({ prompt, tools: [], decoding: DECODING }, 'program');
    const rawOutput = textOf(completion);
    const code = findProgram(rawOutput);
    if (code === null) return { calls: [], rawOutput, answer: null };
    const session = await openRun();
    const outcome = await runProgram({
      code,
      functions: tools.map(({ name }) => name),
      call: (name, args) => session.call(name, args),
      timeoutMs: session.remainingMs,
      signal,
    });
    if ('rows' in outcome) return { rawOutput, answer: outcome.rows };
    // What it called on the way is no answer.
    return { calls: [], rawOutput: `${rawOutput}\n\n${outcome.fault}`, answer: null };
  },
};

function template(): PromptTemplate {
  const file = join(PROMPTS_FOLDER, 'nl2sql', 'imperative.txt');
  const sections = readSections(file, readFileSync(file, 'utf8'));
  return { family: 'imperative', sections, wrapper: null, stop: [], reply: 'program' };
}

/**
 * A tool loop against any OpenAI-compatible chat endpoint: a sample of a farm's tasks, one run each.
 *
 *     ROOKERY_URL=http://127.0.0.1:8080 OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL=… npx tsx openai-loop.ts
 *
 * OpenAI takes 128 tools in a request, and many domains have more. With ROOKERY_HARNESS_KEY each task has a shortlist that
 * fits, the right tools in it; without it the model searches for its tools, since which are right is the harness's to know.
 */
import { Rookery, type Run } from 'rookery/client';
import { chat, type Message, model } from './chat.ts';

const { ROOKERY_URL = 'http://127.0.0.1:8080', SAMPLE = '10', FORMULATION = 'rest' } = process.env;
const harnessKey = process.env.ROOKERY_HARNESS_KEY;
/** As many as the calls of a run: a sequence of SLOT or SEL calls can take twenty. */
const MOST_LOOPS = 50;

const farm = new Rookery(ROOKERY_URL, harnessKey ? { harnessKey } : {});
const batch = await farm.batch({
  select: { formulation: FORMULATION, sample: SAMPLE, seed: 7 },
  agent: 'openai-loop',
  model,
  budget: { calls: 50, seconds: 600 },
  ...(harnessKey ? { tools: 'fit:openai' } : { via: 'search' }),
});
for (const run of batch.runs) {
  const answer = await attempt(run).catch(async (error: Error) => {
    // A run that broke is over too; that it was no fault of the model's is the harness's to say.
    await run.answer(null, harnessKey ? { error: error.message } : { doubts: error.message });
    return error.message;
  });
  console.log(`${run.task.sample_id}: ${JSON.stringify(answer)}`);
}
console.log(`batch ${batch.id}`);

async function attempt(run: Run): Promise<unknown> {
  const { question, evidence, start_tables } = run.task;
  const { tools, answer_format } = await run.tools('openai');
  const messages: Message[] = [
    { role: 'system', content: `Find the answer with the tools. When you know it:\n${answer_format}` },
    {
      role: 'user',
      content: [question, evidence, ...start_tables.map(({ handle }) => `Start table: ${handle}`)].join('\n'),
    },
  ];
  const used = { loops: 0, input_tokens: 0, output_tokens: 0 };
  while (used.loops < MOST_LOOPS) {
    used.loops++;
    const { message, usage } = await chat(messages, tools);
    used.input_tokens += usage?.prompt_tokens ?? 0;
    used.output_tokens += usage?.completion_tokens ?? 0;
    messages.push(message);
    if (!message.tool_calls?.length) {
      const answer = readAnswer(message.content ?? '');
      await run.answer(answer, { ...used, raw_output: message.content });
      return answer;
    }
    for (const { id, function: call } of message.tool_calls) {
      const { text } = await run.call(call.name, JSON.parse(call.arguments));
      messages.push({ role: 'tool', tool_call_id: id, content: text });
    }
  }
  await run.answer(null, used);
  return null;
}

function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^```(?:json)?\n|\n```$/g, ''));
  } catch {
    return text;
  }
}

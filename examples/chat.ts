/** The model that both agents ask: any OpenAI-compatible chat endpoint, named by the environment. */
const {
  OPENAI_BASE_URL = 'https://api.openai.com/v1',
  OPENAI_API_KEY = '',
  OPENAI_MODEL = 'gpt-4o',
} = process.env;

export const model = OPENAI_MODEL;

export interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/** One turn: what the model says, text or calls of tools, and the tokens it took. */
export async function chat(messages: readonly Message[], tools: readonly object[]) {
  const answer = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${OPENAI_API_KEY}` },
    body: JSON.stringify({ model, messages, tools, temperature: 0 }),
  });
  if (!answer.ok) throw new Error(`the model answered ${answer.status}: ${await answer.text()}`);
  const { choices, usage } = (await answer.json()) as {
    choices: [{ message: Message }];
    usage?: { prompt_tokens: number; completion_tokens: number };
  };
  return { message: choices[0].message, usage };
}

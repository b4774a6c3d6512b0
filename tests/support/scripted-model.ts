import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message of a chat, as an OpenAI-compatible endpoint gets and gives them. */
export interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly {
    id: string;
    type: 'function';
    function: { name: string; arguments: string };
  }[];
}

/** What the model says next. */
export type Script = (messages: readonly ChatMessage[], tools: readonly string[]) => ChatMessage;

/** A chat endpoint whose model follows a script. */
export async function startScriptedModel(script: Script): Promise<{ address: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { messages, tools } = JSON.parse(text) as {
      messages: ChatMessage[];
      tools: { function: { name: string } }[];
    };
    let message: ChatMessage;
    try {
      message = script(
        messages,
        tools.map((tool) => tool.function.name),
      );
    } catch (error) {
      response.writeHead(500).end(String(error));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: 10, completion_tokens: 5 } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/v1`, stop: () => server.close() };
}

import type { Message, ModelRequest, ToolResult } from '../../../runner/models/model.ts';

/** The wire formats that the server speaks. */
export type Wire = 'chat' | 'responses' | 'completions' | 'anthropic' | 'google';

/** The format that a path is for. */
export function wireOf(path: string): Wire | null {
  if (path.endsWith('/chat/completions')) return 'chat';
  if (path.endsWith('/responses')) return 'responses';
  if (path.endsWith('/completions')) return 'completions';
  if (path.endsWith('/messages')) return 'anthropic';
  return path.includes(':generateContent') ? 'google' : null;
}

type Json = Record<string, unknown>;
const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
const str = (value: unknown): string => (typeof value === 'string' ? value : '');
const obj = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {});

/** A request in any of the formats, as the runner's own contract has it; what a script answers does not depend on the wire. */
export function readWire(wire: Wire, body: Json): Pick<ModelRequest, 'prompt' | 'tools'> {
  if (wire === 'completions') return { prompt: { text: str(body.prompt) }, tools: [] };
  return { prompt: { messages: READERS[wire](body) }, tools: toolsIn(wire, body) };
}

const READERS: Readonly<Record<Exclude<Wire, 'completions'>, (body: Json) => Message[]>> = {
  chat: (body) => list(body.messages).map(chatMessage),
  responses: (body) =>
    list(body.input).map((item): Message => {
      if (item.type === 'function_call_output') return toolMessage(str(item.call_id), str(item.output));
      if (item.type === 'function_call')
        return { role: 'assistant', parts: [call(item.call_id, item.name, item.arguments)] };
      if (item.role === 'assistant')
        return { role: 'assistant', parts: [{ kind: 'text', text: textIn(item.content) }] };
      return { role: item.role === 'user' ? 'user' : 'system', text: textIn(item.content) };
    }),
  anthropic: (body) => [
    ...list(body.system).map(({ text }): Message => ({ role: 'system', text: str(text) })),
    ...list(body.messages).flatMap((message): Message[] => {
      const blocks = list(message.content);
      const results = blocks.filter(({ type }) => type === 'tool_result');
      if (results.length > 0)
        return [{ role: 'tool', results: results.map((r) => result(str(r.tool_use_id), textIn(r.content))) }];
      if (message.role === 'user') return [{ role: 'user', text: textIn(message.content) }];
      const calls = blocks.filter(({ type }) => type === 'tool_use');
      return [{ role: 'assistant', parts: calls.map((c) => call(c.id, c.name, JSON.stringify(c.input))) }];
    }),
  ],
  google: (body) => [
    ...list(obj(body.systemInstruction).parts).map(
      ({ text }): Message => ({ role: 'system', text: str(text) }),
    ),
    ...list(body.contents).map((content): Message => {
      const parts = list(content.parts);
      const results = parts.filter((part) => 'functionResponse' in part);
      if (results.length > 0) {
        return {
          role: 'tool',
          results: results.map((part) => {
            const response = obj(obj(part.functionResponse).response);
            return result(str(obj(part.functionResponse).name), str(response.content));
          }),
        };
      }
      if (content.role === 'user') return { role: 'user', text: parts.map(({ text }) => str(text)).join('') };
      const calls = parts
        .filter((part) => 'functionCall' in part)
        .map(({ functionCall }) => obj(functionCall));
      return { role: 'assistant', parts: calls.map((c) => call(c.name, c.name, JSON.stringify(c.args))) };
    }),
  ],
};

function chatMessage(message: Json): Message {
  if (message.role === 'tool') return toolMessage(str(message.tool_call_id), textIn(message.content));
  if (message.role !== 'assistant')
    return { role: message.role === 'system' ? 'system' : 'user', text: textIn(message.content) };
  const calls = list(message.tool_calls).map((each) =>
    call(each.id, obj(each.function).name, obj(each.function).arguments),
  );
  return { role: 'assistant', parts: calls };
}

function toolsIn(wire: Wire, body: Json): ModelRequest['tools'] {
  const declared =
    wire === 'google'
      ? list(body.tools).flatMap(({ functionDeclarations }) => list(functionDeclarations))
      : list(body.tools).map((tool) => (wire === 'chat' ? obj(tool.function) : tool));
  return declared.map(({ name, description }) => ({
    name: str(name),
    description: str(description),
    parameters: {},
  }));
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map(({ text }) => str(text))
    .join('');
}

function call(id: unknown, name: unknown, args: unknown) {
  return { kind: 'call' as const, id: str(id), name: str(name), arguments: str(args) };
}

function result(id: string, text: string): ToolResult {
  return { id, name: '', text, failed: false };
}

function toolMessage(id: string, text: string): Message {
  return { role: 'tool', results: [result(id, text)] };
}

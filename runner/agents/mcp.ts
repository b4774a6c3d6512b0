import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ToolCaller } from '../attempt/tool-caller.ts';
import type { Message } from '../model/message.ts';
import type { Agent } from './agent.ts';
import { converse } from './shared/converse.ts';

const SUBMIT_ANSWER = 'submit_answer';

/**
 * Knows MCP and nothing of rookery: the question is in the server's instructions, the tools in its list, and the answer
 * goes by the tool for it. What it called and answered is read from the run afterwards.
 */
export const mcpAgent: Agent = {
  name: 'mcp',
  needsModel: true,
  needsFolder: false,
  async attempt({ settings, model, openRun }) {
    const session = await openRun({ answerTool: true });
    const client = new Client(
      { name: 'rookery-run', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(session.run.mcp)));
    try {
      const { tools } = await client.listTools();
      const offered = tools.map(({ name, description = '', inputSchema }) => ({
        name,
        description,
        parameters: inputSchema,
      }));
      const caller = new McpCaller(client);
      const instructions = client.getInstructions() ?? '';
      const messages: Message[] = [
        ...(settings.system === undefined ? [] : [{ role: 'system' as const, text: settings.system }]),
        { role: 'user', text: instructions },
      ];
      const isOver = () => caller.submitted;
      const text = await converse(messages, { model, tools: offered, caller, settings, isOver });
      return await session.readBack(caller.submitted ? undefined : text);
    } finally {
      await client.close();
    }
  },
};

class McpCaller implements ToolCaller {
  submitted = false;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async call(name: string, args: string) {
    const read = parse(args);
    if (read === undefined) {
      return { ok: false, text: 'The arguments are not one valid JSON object.', handle: null };
    }
    const result = await this.#client.callTool({ name, arguments: read });
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const ok = result.isError !== true;
    if (name === SUBMIT_ANSWER && ok) this.submitted = true;
    return { ok, text, handle: null };
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AttemptEnd } from '../attempt/budget.ts';
import { tryObject } from '../attempt/read-json.ts';
import type { ToolCaller, ToolSession } from '../attempt/tool-session.ts';
import type { Message } from '../models/model.ts';
import type { Agent } from './agent.ts';
import { converse, taskText } from './conversation.ts';

const SUBMIT_ANSWER = 'submit_answer';

/**
 * A plain MCP client, without knowledge of rookery: the server's instructions contain the question, its list
 * the tools, and the answer is submitted by a tool. The calls and the answer are read from the run
 * afterwards.
 */
export const mcpAgent: Agent = {
  name: 'mcp',
  needsModel: true,
  mode: 'native',
  needsFolder: false,
  takesComposed: true,
  callsByTurn: true,
  async attempt({ task, tools: shown, settings, model, openRun }) {
    const session = await openRun({ answerTool: true });
    const client = new Client(
      { name: 'rookery-run', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(session.run.mcp)));
    try {
      const { tools } = await client.listTools();
      // The farm does not know composed tasks: the run has the first part's question, and offers the whole
      // domain.
      const isComposed = task.composition !== undefined;
      const counts = new Set([...shown.map(({ name }) => name), SUBMIT_ANSWER]);
      const offered = tools
        .filter(({ name }) => !isComposed || counts.has(name))
        .map(({ name, description = '', inputSchema }) => ({ name, description, parameters: inputSchema }));
      const caller = new McpCaller(client, session, new Set(offered.map(({ name }) => name)));
      const instructions = isComposed ? taskText(task, true) : (client.getInstructions() ?? '');
      const messages: Message[] = [
        ...(settings.system === undefined ? [] : [{ role: 'system' as const, text: settings.system }]),
        { role: 'user', text: instructions },
      ];
      const isOver = () => caller.submitted;
      const text = await converse(messages, { model, tools: offered, caller, settings, isOver });
      return await session.readBack(caller.submitted ? undefined : text);
    } catch (error) {
      if (error instanceof AttemptEnd && session.calls.length === 0) await session.readCalls();
      throw error;
    } finally {
      await client.close();
    }
  },
};

class McpCaller implements ToolCaller {
  submitted = false;
  readonly #client: Client;
  readonly #session: ToolSession;
  readonly #offered: ReadonlySet<string>;

  constructor(client: Client, session: ToolSession, offered: ReadonlySet<string>) {
    this.#client = client;
    this.#session = session;
    this.#offered = offered;
  }

  async call(name: string, args: string) {
    if (name !== SUBMIT_ANSWER) this.#session.beginCall();
    return this.#session.spans.tool(name, () => this.#call(name, args));
  }

  async #call(name: string, args: string) {
    if (!this.#offered.has(name)) return { ok: false, text: `There is no tool ${name} here.`, handle: null };
    const read = tryObject(args);
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

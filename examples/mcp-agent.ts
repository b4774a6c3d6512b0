/**
 * An agent that knows MCP and nothing of rookery: whatever the server's instructions ask, with whatever tools it
 * lists; it hands in its answer by a tool, too. Give it the address of a run that was begun with `answer_tool: true`.
 *
 *     MCP_URL=http://127.0.0.1:8080/runs/<id>/mcp OPENAI_BASE_URL=… OPENAI_MODEL=… npx tsx mcp-agent.ts
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { chat, type Message } from './chat.ts';

const { MCP_URL = '' } = process.env;
const MOST_LOOPS = 20;

const client = new Client({ name: 'mcp-agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(MCP_URL)));
const { tools } = await client.listTools();
const functions = tools.map(({ name, description, inputSchema }) => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
}));
const messages: Message[] = [{ role: 'user', content: client.getInstructions() ?? 'What can you do?' }];

for (let loop = 0; loop < MOST_LOOPS; loop++) {
  const { message } = await chat(messages, functions);
  messages.push(message);
  if (!message.tool_calls?.length) {
    console.log(message.content);
    break;
  }
  for (const { id, function: call } of message.tool_calls) {
    const { content } = await client.callTool({ name: call.name, arguments: JSON.parse(call.arguments) });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    messages.push({ role: 'tool', tool_call_id: id, content: text });
  }
}
await client.close();

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { forgetAnswers } from './forget-answers.ts';

// When the first test fails after an update of the SDK, it lets go of answers by itself: this file can go then.
test('answers that were sent are dropped, those under way are not', async () => {
  const mcp = new Server({ name: 'x', version: '1' }, { capabilities: { tools: {} } });
  mcp.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (params.name === 'slow') await setTimeout(300);
    return { content: [{ type: 'text', text: params.name }] };
  });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => 's',
    enableJsonResponse: true,
  });
  await mcp.connect(transport as Transport);
  let dropped = 0;
  const server = createServer(async (request, response) => {
    await transport.handleRequest(request, response);
    dropped += forgetAnswers(transport);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new Client({ name: 'test', version: '1' });
  const { port } = server.address() as AddressInfo;
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}`)) as Transport);

  const slow = client.callTool({ name: 'slow' });
  for (let i = 0; i < 5; i++) await client.callTool({ name: 'quick' });
  expect((await slow).content).toEqual([{ type: 'text', text: 'slow' }]);
  // The calls, and the beginning of the session.
  await expect.poll(() => dropped).toBe(7);

  await client.close();
  await mcp.close();
  server.closeAllConnections();
  server.close();
});

test('an inside that is unknown is left alone', () => {
  expect(forgetAnswers({} as StreamableHTTPServerTransport)).toBe(0);
  const other = { _webStandardTransport: { _streamMapping: [] } };
  expect(forgetAnswers(other as never)).toBe(0);
});

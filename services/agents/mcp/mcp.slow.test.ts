import {
  type Client,
  type ClientOptions,
  type FetchLike,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { request as undiciRequest } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MCP_ERAS, type McpEra, mcpClient } from '../../testing/runs.ts';
import { openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';

let farm: SmallFarm;
let address: string;
beforeAll(async () => {
  farm = await openSmallFarm();
  address = await farm.app.listen({ port: 0 });
});
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => farm.close());

const connect = async (
  path: string,
  era: McpEra = 'stateless',
  { fetch = globalThis.fetch, ...options }: ClientOptions & { readonly fetch?: FetchLike } = {},
): Promise<Client> => {
  const client = mcpClient(era, options);
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(path, address), { fetch }));
  return client;
};
const begin = async (more: object) => {
  const answer = await farm.inject({ method: 'POST', url: '/runs', payload: more });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
};
const raw = (path: string, headers: Record<string, string>, body = INITIALIZE) =>
  fetch(new URL(path, address), {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body,
  });
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});
const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';

describe.each(MCP_ERAS)('a domain over MCP %s', (era) => {
  test('lists its tools, and calls them with structured content', async () => {
    const client = await connect('/mcp/small/rest', era);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(20);
    expect(tools.find(({ name }) => name === PEOPLE)).toMatchObject({
      inputSchema: { type: 'object', required: ['min_age'] },
      annotations: { readOnlyHint: true },
    });
    const answer = await client.callTool({ name: PEOPLE, arguments: { min_age: 40 } });
    expect(answer.isError).toBeUndefined();
    expect(answer.structuredContent).toEqual({
      data: [{ name: 'Cid', age: 41 }],
      row_count: 1,
      truncated: false,
    });
    expect(answer.content).toEqual([{ type: 'text', text: expect.stringContaining('"Cid"') }]);
  });

  test('has its glossary as a resource where that is asked for', async () => {
    const client = await connect('/mcp/small/rest?glossary=true', era);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['rookery://glossary', 'text/markdown'],
    ]);
    const { contents } = await client.readResource({ uri: 'rookery://glossary' });
    expect(contents).toEqual([expect.objectContaining({ text: expect.stringContaining('# Glossary') })]);
    await expect(client.readResource({ uri: 'rookery://other' })).rejects.toThrow('There is no resource');
    const plain = await connect('/mcp/small/rest', era);
    expect(plain.getServerCapabilities()).not.toHaveProperty('resources');
  });

  test('has a search of its documents, and these as resources, where that is asked for', async () => {
    const client = await connect('/mcp/small/rest?documents=true', era);
    const { tools } = await client.listTools();
    expect(tools.at(-1)?.name).toBe('search_documents');
    const answer = await client.callTool({
      name: 'search_documents',
      arguments: { query: 'who is an adult?' },
    });
    expect(answer.structuredContent).toEqual({
      sections: [{ document: 'glossary', heading: 'Adult', text: 'Of 18 or more.' }],
    });
    const wrong = await client.callTool({ name: 'search_documents', arguments: { query: '' } });
    expect(wrong.isError).toBe(true);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['rookery://glossary']);
  });

  test('a run that is begun with it has it too', async () => {
    const run = await begin({ sample_id: 'test/small/1/rest', glossary: true });
    const client = await connect(`${run.base}/mcp`, era);
    expect((await client.listResources()).resources).toHaveLength(1);
  });

  test('reports what is wrong with a call in its result', async () => {
    const client = await connect('/mcp/small/rest?tools=5', era);
    for (const [name, code] of [
      [(await client.listTools()).tools[0]?.name ?? '', 'INVALID_PARAMETERS'],
      ['no_such_tool', 'UNKNOWN_TOOL'],
    ] as const) {
      const answer = await client.callTool({ name, arguments: { wrong: 1 } });
      expect(answer).toMatchObject({ isError: true, _meta: { 'rookery/problem': { code } } });
    }
  });

  test('in SLOT can begin from any start table, and pages through columns', async () => {
    const client = await connect('/mcp/small/slot', era);
    const start = await client.callTool({
      name: 'initialize_active_data',
      arguments: {
        condition_sequence: [],
        alias_to_table_dict: { p: { original_table_name: 'person', modified_table_name: 'person' } },
      },
    });
    const { handle } = start.structuredContent as { handle: string };
    const args = { data_source: handle, key_name: 'person_id' };
    const _meta = { 'rookery/offset': 2, 'rookery/limit': 3 };
    const page = await client.callTool({ name: 'retrieve_data', arguments: args, _meta });
    expect(page.structuredContent).toMatchObject({ values: [3, 4, 5], next_offset: 5 });
  });
});

describe('the schema of answers', () => {
  /** The SDK's client validates every answer against its tool's schema, once it has read the list. */
  const listed = async (path: string) => {
    const client = await connect(path);
    const { tools } = await client.listTools();
    return { client, tools };
  };

  test('has the columns of a REST tool, and matches its answers', async () => {
    const { client, tools } = await listed('/mcp/small/rest');
    expect(tools.find(({ name }) => name === PEOPLE)?.outputSchema).toMatchObject({
      type: 'object',
      properties: { data: { items: { required: ['name', 'age'] } } },
    });
    for (const min_age of [0, 40, 1000]) {
      const answer = await client.callTool({ name: PEOPLE, arguments: { min_age } });
      expect(answer.structuredContent).toHaveProperty('data');
    }
    await expect(client.callTool({ name: PEOPLE, arguments: {} })).resolves.toMatchObject({ isError: true });
  });

  test('matches the tables, columns and values of SLOT and SEL', async () => {
    const { handle } = farm.service.start_tables[0] ?? { handle: '' };
    const slot = await listed(`/mcp/small/slot?start_table=${handle}`);
    const column = { data_source: handle, key_name: 'person_age' };
    const kinds: unknown[] = [];
    for (const [name, args] of [
      ['filter_data', { ...column, condition: 'equal_to', value: 30 }],
      ['sort_data', { ...column, ascending: true }],
      ['retrieve_data', column],
      ['aggregate_data', { ...column, aggregation_type: 'max' }],
    ] as const) {
      const { structuredContent } = await slot.client.callTool({ name, arguments: args });
      kinds.push((structuredContent as { kind?: string } | undefined)?.kind);
    }
    expect(kinds).toEqual(['table', 'table', 'column', 'value']);
    const sel = await listed(`/mcp/small/sel?start_table=${handle}`);
    const names = await sel.client.callTool({ name: 'get_person_names', arguments: { data_source: handle } });
    expect(names.structuredContent).toMatchObject({ kind: 'column', column: 'person_name' });
  });

  test('does not name the tools of an obfuscated list', async () => {
    const real = (await listed('/mcp/small/rest')).tools.flatMap(({ name }) => [
      name,
      /^get_(.+)_v1_/.exec(name)?.[1] ?? name,
    ]);
    const { client, tools } = await listed('/mcp/small/rest?obfuscate=true');
    const text = JSON.stringify(tools.map(({ outputSchema }) => outputSchema));
    expect(text.length).toBeGreaterThan(1000);
    for (const name of real) expect(text).not.toContain(name);
    const people = tools.find(({ description }) => description?.startsWith('people by'));
    const answer = await client.callTool({ name: people?.name ?? '', arguments: { ARG_0: 40 } });
    expect(answer.structuredContent).toMatchObject({ row_count: 1 });
  });

  test('is sent only where no faults corrupt answers, so that the agent sees them unchanged', async () => {
    const list = async (fault: string) => {
      const faults = { rules: [{ fault, rate: 1, ms: 1 }] };
      return listed(`${(await begin({ sample_id: 'test/small/1/rest', faults })).base}/mcp`);
    };
    const late = await list('latency');
    expect(late.tools[0]?.outputSchema).toBeDefined();
    for (const fault of ['schema_drift', 'malformed', 'truncated']) {
      const { client, tools } = await list(fault);
      expect(tools[0]).not.toHaveProperty('outputSchema');
      const answer = await client.callTool({ name: PEOPLE, arguments: { min_age: 40 } });
      expect(answer._meta).not.toHaveProperty('rookery/problem');
    }
  });
});

describe('a task over MCP', () => {
  test.each(MCP_ERAS)('has the question and the start table, and can be obfuscated (%s)', async (era) => {
    const client = await connect('/mcp/tasks/test/small/1/slot?obfuscate=true', era);
    expect(client.getInstructions()).toContain('Who is thirty or older?');
    expect(client.getInstructions()).toContain(farm.service.start_tables[0]?.handle);
    expect(client.getInstructions()).not.toContain('evidence of 1');
    const { messages } = await client.getPrompt({ name: 'task' });
    expect(messages[0]?.content).toMatchObject({ text: client.getInstructions() });
    const { tools } = await client.listTools();
    expect(tools.every(({ name }) => /^FUNC_\d+$/.test(name))).toBe(true);
  });

  test('that does not exist is a problem, as are foreign pages and broken requests', async () => {
    const status = async (path: string, headers = {}, body = INITIALIZE) =>
      (await raw(path, headers, body)).status;
    expect(await status('/mcp/tasks/test/small/77/slot')).toBe(404);
    expect(await status('/mcp/small/soap')).toBe(404);
    expect(await status('/mcp/nowhere/rest')).toBe(404);
    const head = await fetch(new URL('/mcp/small/rest', address), { method: 'HEAD' });
    expect([head.status, head.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
    expect(await status('/mcp/small/rest?tools=x')).toBe(400);
    expect(await status('/runs/r1/mcp')).toBe(404);
    expect(await status('/mcp/small/rest', { origin: 'https://evil.example' })).toBe(403);
    expect(await status('/mcp/small/rest', { origin: 'null' })).toBe(403);
    expect(await status('/mcp/small/rest', { origin: 'http://localhost:6274' })).toBe(200);
    // A name that its owner has pointed at this machine: the browser takes it for the page's own server.
    const rebound = { origin: 'http://evil.example', host: 'evil.example' };
    const { statusCode } = await undiciRequest(new URL('/mcp/small/rest', address), {
      method: 'POST',
      headers: { ...HEADERS, ...rebound },
      body: INITIALIZE,
    });
    expect(statusCode).toBe(403);
    expect(await status('/mcp/small/rest', {}, '{')).toBe(400);
    expect(await status('/mcp/small/rest', {}, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).toBe(400);
    expect(await status('/mcp/small/rest', { 'mcp-session-id': 'made-up' })).toBe(404);
  });
});

describe('a run over MCP', () => {
  test.each(MCP_ERAS)('is recorded like any other, under every address below it (%s)', async (era) => {
    const run = await begin({ sample_id: 'test/small/1/rest' });
    for (const path of ['/mcp', '/mcp/tasks/test/small/1/rest', '/mcp/small/rest']) {
      const client = await connect(`${run.base}${path}`, era);
      await client.callTool({ name: PEOPLE, arguments: { min_age: 40 } });
      await client.close();
    }
    const { trajectory } = (await farm.inject(run.base)).json();
    expect(trajectory).toHaveLength(3);
    expect(trajectory[2]).toMatchObject({
      n: 3,
      tool: PEOPLE,
      arguments: { min_age: 40 },
      status: 200,
      rows: 1,
    });
  });

  test('has sessions that are valid for this run only', async () => {
    const [mine, other] = [
      await begin({ sample_id: 'test/small/1/rest' }),
      await begin({ sample_id: 'test/small/1/rest' }),
    ];
    const session = (await raw(`${mine.base}/mcp`, {})).headers.get('mcp-session-id') ?? '';
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: PEOPLE, arguments: { min_age: 1 } },
    });
    expect((await raw(`${other.base}/mcp`, { 'mcp-session-id': session }, call)).status).toBe(404);
    expect((await raw(`${mine.base}/mcp`, { 'mcp-session-id': session }, call)).status).toBe(200);
    expect((await farm.inject(other.base)).json().trajectory).toEqual([]);
    expect((await farm.inject(mine.base)).json().trajectory).toHaveLength(1);
  });

  test('keeps its session when others begin thousands and abandon them', async () => {
    const { base } = await begin({ sample_id: 'test/small/1/rest' });
    const client = await connect(`${base}/mcp`, 'with sessions');
    const greedy = (await begin({ sample_id: 'test/small/1/rest' })).base;
    for (let i = 0; i < 2100; i += 20) {
      await Promise.all(
        Array.from({ length: 20 }, async () => (await raw(`${greedy}/mcp`, {})).arrayBuffer()),
      );
    }
    expect((await client.listTools()).tools).toHaveLength(20);
  });

  test.each(MCP_ERAS)(
    'hands in its answer by a tool where it has one; then no tools are left (%s)',
    async (era) => {
      const run = await begin({ sample_id: 'test/small/1/rest', answer_tool: true });
      let tell = () => {};
      const changed = new Promise<void>((resolve) => {
        tell = resolve;
      });
      const client = await connect(`${run.base}/mcp`, era, {
        listChanged: { tools: { autoRefresh: false, onChanged: () => tell() } },
      });
      expect(client.getInstructions()).toContain('submit_answer');
      expect(client.getInstructions()).toContain('evidence of 1');
      expect((await client.listTools()).tools).toHaveLength(21);
      await client.callTool({
        name: 'submit_answer',
        arguments: { answer: [['Cid', 41]], doubts: 'one row is missing' },
      });
      await changed;
      expect((await client.listTools()).tools).toEqual([]);
      const late = await client.callTool({ name: PEOPLE, arguments: { min_age: 40 } });
      expect(late).toMatchObject({ isError: true, _meta: { 'rookery/problem': { code: 'RUN_OVER' } } });
      const twice = await client.callTool({ name: 'submit_answer', arguments: { answer: 1 } });
      expect(twice.isError).toBe(true);
      expect((await farm.inject(run.base)).json()).toMatchObject({
        status: 'answered',
        answer: { answer: [['Cid', 41]], doubts: 'one row is missing' },
        trajectory: [],
      });
    },
  );

  test('has room for eight streams of the stateless protocol, without closing those of others', async () => {
    const options = { listChanged: { tools: { autoRefresh: false, onChanged: () => {} } } };
    const [greedy, modest] = [
      await begin({ sample_id: 'test/small/1/rest', answer_tool: true }),
      await begin({ sample_id: 'test/small/1/rest', answer_tool: true }),
    ];
    const client = await connect(`${greedy.base}/mcp`, 'stateless', options);
    const open = [];
    for (let i = 0; i < 7; i++) open.push(await client.listen({ toolsListChanged: true }));
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow('Subscription limit reached');
    const other = await connect(`${modest.base}/mcp`, 'stateless', options);
    await (await other.listen({ toolsListChanged: true })).close();
    await open[0]?.close();
    await expect
      .poll(() =>
        client.listen({ toolsListChanged: true }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  test('reports a spent budget in the result', async () => {
    const run = await begin({ sample_id: 'test/small/1/rest', budget: { calls: 1 } });
    const client = await connect(`${run.base}/mcp`);
    await client.callTool({ name: PEOPLE, arguments: { min_age: 40 } });
    const answer = await client.callTool({ name: PEOPLE, arguments: { min_age: 40 } });
    expect(answer).toMatchObject({ isError: true, _meta: { 'rookery/problem': { code: 'RUN_OVER' } } });
  });
});

describe('the list of tools', () => {
  test('is the same in every request, in both protocols, and marks read-only tools', async () => {
    const run = await begin({ sample_id: 'test/small/1/slot', answer_tool: true });
    const listOf = async (era: McpEra) => (await (await connect(`${run.base}/mcp`, era)).listTools()).tools;
    const first = await listOf('stateless');
    expect(JSON.stringify(await listOf('stateless'))).toBe(JSON.stringify(first));
    const earlier = await listOf('with sessions');
    expect(JSON.stringify(await listOf('with sessions'))).toBe(JSON.stringify(earlier));
    expect(earlier).toEqual(first);
    const writing = first.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(['submit_answer']);
  });
});

test.each(MCP_ERAS)('integers of 64 bits keep their digits (%s)', async (era) => {
  const { handle } = farm.service.start_tables[0] ?? { handle: '' };
  const run = await begin({ sample_id: 'test/small/1/slot' });
  const args = { data_source: handle, key_name: 'person_age', condition: 'equal_to', value: 0 };
  const digits = '9007199254740993';
  // The SDK's client cannot write them itself.
  const client = await connect(`${run.base}/mcp`, era, {
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        body: init?.body ? String(init.body).replace('"value":0', `"value":${digits}`) : null,
      }),
  });
  expect((await client.callTool({ name: 'filter_data', arguments: args })).isError).toBeUndefined();
  expect((await farm.inject(run.base)).body).toContain(`"value":${digits}`);
});

test('a number too large for a double, wherever it is, is rejected as invalid input', async () => {
  const run = await begin({ sample_id: 'test/small/1/rest' });
  const client = await connect(`${run.base}/mcp`, 'stateless', {
    fetch: (url, init) =>
      fetch(url, { ...init, body: init?.body ? String(init.body).replaceAll('"huge"', '-1e999') : null }),
  });
  for (const min_age of ['huge', ['huge'], { '': 'huge' }]) {
    const answer = await client.callTool({ name: PEOPLE, arguments: { min_age } });
    expect(answer._meta).toMatchObject({ 'rookery/problem': { code: 'INVALID_PARAMETERS' } });
  }
});

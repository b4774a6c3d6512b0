import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';

let small: SmallFarm;
beforeAll(async () => {
  small = await openSmallFarm();
});
afterAll(() => small.close());

const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';

async function post(url: string, payload: object) {
  const answer = await small.inject({ method: 'POST', url, payload });
  return { status: answer.statusCode, json: answer.json() };
}

/** A run whose list has two tools in place of all: its address, and a call of it. */
async function runVia(via: string, sample: string, more: object = {}) {
  const made = await post('/runs', { sample_id: `test/small/${sample}`, via, ...more });
  expect(made.status).toBe(201);
  const { base, run_id } = made.json;
  return {
    base,
    call: async (tool: string, args: object) => (await post(`${base}/call/${tool}`, args)).json,
    tools: async () => (await small.app.inject(`${base}/tools`)).json().tools,
    recorded: async () => {
      const view = (await small.inject(`/runs/${run_id}`)).json();
      return view.trajectory.map(({ tool, arguments: args, status }: Record<string, unknown>) => [
        tool,
        args,
        status,
      ]);
    },
  };
}

test('a program makes calls, each of which is recorded, and its answer comes back with its log', async () => {
  const run = await runVia('code', '1/rest');
  expect((await run.tools()).map(({ name }: { name: string }) => name)).toEqual(['search_docs', 'execute']);
  const { docs } = await run.call('search_docs', { query: 'people by their least age', limit: 1 });
  expect(docs).toContain(`function ${PEOPLE}(args: {`);
  const { index } = await run.call('search_docs', { query: '' });
  expect(index.split('\n')).toContain(`${PEOPLE}(min_age): people by min age.`);
  const code = `
    const ages = [];
    for (const min_age of [30, 41]) {
      const { data } = await ${PEOPLE}({ min_age });
      ages.push(data.length);
    }
    console.log('asked twice');
    return ages;`;
  expect(await run.call('execute', { code })).toEqual({ result: [4, 1], logs: ['asked twice'] });
  expect((await run.recorded()).slice(2)).toEqual([
    [PEOPLE, { min_age: 30 }, 200],
    [PEOPLE, { min_age: 41 }, 200],
  ]);
  expect(await run.call('execute', { code: `return await ${PEOPLE}({ least: 1 })` })).toEqual({
    error: expect.stringContaining('INVALID_PARAMETERS'),
    logs: [],
  });
  expect((await run.recorded()).at(-1)).toEqual([PEOPLE, { least: 1 }, 400]);
});

test('SLOT tools are methods of results, and a column is read to its end', async () => {
  const run = await runVia('code', '1/slot');
  const { handle } = small.service.start_tables[0] ?? {};
  const code = `
    const older = table(${JSON.stringify(handle)}).filter_data({ key_name: 'person_age', value: 30, condition: 'greater_than_equal_to' });
    return rows(older.retrieve_data({ key_name: 'person_name' }), older.retrieve_data({ key_name: 'person_age' }));`;
  const { result } = await run.call('execute', { code });
  expect(result).toEqual([
    ['Ann', 30],
    [null, 30],
    ['Cid', 41],
    ['Dee', 30],
  ]);
  expect((await run.recorded()).map(([tool]: [string]) => tool)).toEqual([
    'filter_data',
    'retrieve_data',
    'retrieve_data',
  ]);
  const { docs } = await run.call('search_docs', {
    query: 'keep the rows for which a condition is true',
    limit: 1,
  });
  expect(docs).toContain('Result.filter_data(args: {');
});

test('a program ends when the budget of its run is spent', async () => {
  const run = await runVia('code', '1/rest', { budget: { calls: 2 } });
  const code = `for (;;) try { await ${PEOPLE}({ min_age: 30 }) } catch {}`;
  expect(await run.call('execute', { code })).toMatchObject({ code: 'RUN_OVER' });
  expect(await run.recorded()).toHaveLength(2);
  expect(await run.call('execute', { code: 'return 1' })).toMatchObject({ code: 'RUN_OVER' });
});

test('a request is the call that it makes; one to nowhere counts as a wrong call', async () => {
  const run = await runVia('http', '1/rest');
  const { paths } = await run.call('search_docs', { query: 'people by their least age', limit: 1 });
  const [url = ''] = Object.keys(paths);
  const found = await run.call('http_request', { method: 'GET', url, params: { min_age: 41 } });
  expect(found).toMatchObject({ status: 200, body: { data: [{ name: 'Cid', age: 41 }] } });
  const same = await run.call('http_request', {
    method: 'get',
    url: `http://farm.test${run.base}${url}?min_age=41`,
  });
  expect(same).toEqual(found);
  expect(await run.call('http_request', { method: 'GET', url: '/v1/test/small/nothing' })).toMatchObject({
    status: 404,
    body: { code: 'UNKNOWN_ENDPOINT' },
  });
  expect(await run.call('http_request', { method: 'DELETE', url: '/etc/passwd' })).toMatchObject({
    status: 404,
  });
  expect((await run.recorded()).slice(1)).toEqual([
    [PEOPLE, { min_age: 41 }, 200],
    [PEOPLE, { min_age: 41 }, 200],
    ['GET /v1/test/small/nothing', {}, 404],
    ['DELETE /etc/passwd', {}, 404],
  ]);
});

test('requests_get is a request in the form of BFCL, for REST', async () => {
  const run = await runVia('requests', '1/rest');
  const { paths } = await run.call('search_docs', { query: 'people by their least age', limit: 1 });
  const [url = ''] = Object.keys(paths);
  const found = await run.call('requests_get', { url, params: { min_age: '41' }, timeout: 5 });
  expect(found).toMatchObject({ status: 200, body: { row_count: 1 } });
  const refused = await small.inject(`/tools/small/slot?via=requests`);
  expect(refused.json()).toMatchObject({ code: 'INVALID_PARAMETERS' });
});

test('SLOT over HTTP posts to the address of a tool', async () => {
  const run = await runVia('http', '1/slot');
  const { paths } = await run.call('search_docs', { query: 'filter rows by a condition', limit: 1 });
  expect(Object.keys(paths)).toEqual(['/call/filter_data']);
  const [{ handle = '' } = {}] = small.service.start_tables;
  const body = { data_source: handle, key_name: 'person_age', value: 30, condition: 'equal_to' };
  expect(await run.call('http_request', { method: 'POST', url: '/call/filter_data', body })).toMatchObject({
    status: 200,
    body: { kind: 'table', row_count: 3 },
  });
});

test('programs run over MCP, where the server allows them', async () => {
  const address = await small.app.listen({ port: 0 });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/small/code', address)));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['search_docs', 'execute']);
  const code = `return (await ${PEOPLE}({ min_age: 41 })).data`;
  const { structuredContent } = await client.callTool({ name: 'execute', arguments: { code } });
  expect(structuredContent).toEqual({ result: [{ name: 'Cid', age: 41 }], logs: [] });
  await client.close();
  const closed = await openSmallFarm({ allowCode: false });
  const refused = await closed.inject('/tools/small/rest?via=code');
  expect(refused.json()).toMatchObject({
    code: 'INVALID_PARAMETERS',
    detail: expect.stringContaining('--allow-code'),
  });
  await closed.close();
});

test('in an exam nothing that a program can see names the split or the database', async () => {
  const exam = await openSmallFarm({ exam: true });
  try {
    for (const [via, sample] of [
      ['code', '1/rest'],
      ['code', '1/slot'],
      ['http', '1/rest'],
    ] as const) {
      const payload = { sample_id: `test/small/${sample}`, via };
      const { base } = (await exam.inject({ method: 'POST', url: '/runs', payload })).json();
      const ask = async (tool: string, args: object) =>
        (await exam.app.inject({ method: 'POST', url: `${base}/call/${tool}`, payload: args })).body;
      const seen = [
        (await exam.app.inject(`${base}/tools`)).body,
        await ask('search_docs', { query: '' }),
        await ask('search_docs', { query: 'people by their least age' }),
        ...(via === 'code'
          ? [
              await ask('execute', { code: 'return Object.getOwnPropertyNames(globalThis)' }),
              await ask('execute', { code: 'return await people_by_min_age({ wrong: 1 })' }),
              await ask('execute', { code: 'return await table("nothing").values()' }),
            ]
          : [await ask('http_request', { method: 'GET', url: '/v1/s/d/people_by_min_age' })]),
        (await exam.app.inject(`${base}/sdk.py`)).body,
      ].join('\n');
      expect(seen).not.toMatch(/\bsmall\b(?! database)|test\/small|v1_test/);
    }
    expect((await exam.app.inject('/sdk/small.ts')).statusCode).toBe(403);
  } finally {
    await exam.close();
  }
});

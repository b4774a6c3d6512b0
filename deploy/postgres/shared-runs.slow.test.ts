import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { mcpClient } from '../../services/testing/runs.ts';
import { openSmallFarm, type SmallFarm } from '../../services/testing/small-farm.ts';
import { DATABASES } from '../databases.ts';
import { openTestDatabase, type TestDatabase, databaseTest as test } from './testing/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Two servers of one farm with a shared database of runs, as on two machines. */
async function twoServers(): Promise<[SmallFarm, SmallFarm]> {
  const runs = { place: database.address, databases: DATABASES };
  const [one, other] = await Promise.all([openSmallFarm({ runs }), openSmallFarm({ runs })]);
  onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => {}));
  return [one, other];
}

async function post({ app }: SmallFarm, url: string, payload: object) {
  const answer = await app.inject({ method: 'POST', url, payload });
  return { status: answer.statusCode, body: answer.json() };
}

test('a run continues at another server, which knows its handles, with its calls in order', async () => {
  const [one, other] = await twoServers();
  const { body: run } = await post(one, '/runs', { sample_id: 'test/small/1/slot', budget: { calls: 5 } });
  let handle: string = run.task.start_tables[0].handle;
  const said: number[] = [];
  const sorts = ['true', 'false', 'true', 'false', 'true', 'false'];
  for (const [i, ascending] of sorts.entries()) {
    const server = i % 2 === 0 ? one : other;
    const args = { data_source: handle, key_name: 'person_age', ascending: ascending === 'true' };
    const { status, body } = await post(server, `${run.base}/call/sort_data`, args);
    said.push(status);
    handle = body.handle ?? handle;
  }
  // The budget applies to the run across servers.
  expect(said).toEqual([200, 200, 200, 200, 200, 409]);
  for (const server of [one, other]) {
    const { status, trajectory, end_reason } = (await server.app.inject(run.base)).json();
    expect([status, end_reason]).toEqual(['out_of_budget', 'calls']);
    expect(trajectory.map(({ n }: { n: number }) => n)).toEqual([1, 2, 3, 4, 5]);
    const ascending = trajectory.map(
      (call: { arguments: { ascending: boolean } }) => call.arguments.ascending,
    );
    expect(ascending).toEqual([true, false, true, false, true]);
  }
});

test('a run has one answer, and ends at all servers', async () => {
  const [one, other] = await twoServers();
  const { body: run } = await post(one, '/runs', { sample_id: 'test/small/1/rest' });
  await other.app.inject(`${run.base}/tools`);
  await one.app.inject(`${run.base}/tools`);
  const answers = [one, other].map((server, i) => post(server, `${run.base}/answer`, { answer: i }));
  const said = (await Promise.all(answers)).map(({ status }) => status);
  expect(said.toSorted()).toEqual([200, 409]);
  const kept = (await other.app.inject(run.base)).json().answer.answer;
  expect(kept).toBe(said.indexOf(200));
  for (const server of [one, other]) {
    expect((await post(server, `${run.base}/call/nothing`, {})).body.code).toBe('RUN_OVER');
  }
});

test('concurrent calls of a run at both servers are all recorded, with unique numbers', async () => {
  const [one, other] = await twoServers();
  const { body: run } = await post(one, '/runs', { sample_id: 'test/small/1/rest', budget: { calls: 30 } });
  const calls = Array.from({ length: 40 }, (_, i) =>
    post([one, other][i % 2] as SmallFarm, `${run.base}/call/x`, { i }),
  );
  const said = (await Promise.all(calls)).map(({ status }) => status);
  expect(said.filter((status) => status === 404)).toHaveLength(30);
  expect(said.filter((status) => status === 409)).toHaveLength(10);
  const { trajectory } = (await one.app.inject(run.base)).json();
  expect(trajectory.map(({ n }: { n: number }) => n)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
});

test('an MCP session continues at any server', async () => {
  const servers = await twoServers();
  const addresses = await Promise.all(servers.map(({ app }) => app.listen({ port: 0 })));
  const { body: run } = await post(servers[0], '/runs', {
    sample_id: 'test/small/1/rest',
    answer_tool: true,
  });
  let turn = 0;
  const through = (input: string | URL, init?: RequestInit) => {
    const { pathname } = new URL(input);
    return fetch(new URL(pathname, addresses[turn++ % 2]), init);
  };
  const client = mcpClient('with sessions', {});
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${run.base}/mcp`, addresses[0]), { fetch: through }),
  );
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name.includes('people_by_min_age'))?.name ?? '';
  for (let i = 0; i < 4; i++) {
    const { isError } = await client.callTool({ name: tool, arguments: { min_age: 40 } });
    expect(isError ?? false).toBe(false);
  }
  await client.callTool({ name: 'submit_answer', arguments: { answer: 1 } });
  await client.close();
  expect(turn).toBeGreaterThan(7);
  for (const { app } of servers) {
    expect((await app.inject(run.base)).json()).toMatchObject({
      status: 'answered',
      trajectory: { length: 4 },
    });
  }
});

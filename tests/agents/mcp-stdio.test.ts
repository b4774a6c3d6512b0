import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Task } from '../../contracts/task.ts';
import { endpoint, parameter, writeZooFarmWithTask } from '../../services/testing/zoo.ts';
import { builtCommand } from '../support/built-package.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const byId = endpoint(
  'by_id',
  'SELECT id, name, weight FROM animal WHERE id = :id',
  ['id', 'name', 'weight'],
  {
    parameters: [parameter('id', 'integer')],
  },
);
const count = endpoint('how_many', 'SELECT count(*) AS n FROM animal', ['n']);
const folder = scratchFolder();
const farm = join(folder, 'farm');
let task: Task;
const clients: Client[] = [];
beforeAll(() => {
  task = writeZooFarmWithTask(farm, {
    endpoints: [byId, count],
    question: 'What is the second animal called?',
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** `rookery mcp …` as a client starts it, and its error stream. */
async function start(...args: string[]): Promise<{ client: Client; pid: number; said: () => string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await builtCommand(), 'mcp', ...args],
    cwd: packageRoot,
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  try {
    await client.connect(transport);
  } catch (error) {
    throw new Error(said || String(error), { cause: error });
  }
  return { client, pid: transport.pid as number, said: () => said };
}

test('a domain over standard input and output: tools, an answer, what is wrong with a call', async () => {
  const { client, said } = await start(farm, '--db', 'zoo');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([byId.operation_id, count.operation_id]);
  expect(tools[0]?.inputSchema).toMatchObject({
    required: ['id'],
    properties: { id: { type: 'integer' } },
  });

  const answer = await client.callTool({ name: byId.operation_id, arguments: { id: 1 } });
  expect(answer.isError).toBeUndefined();
  const body = { data: [{ id: 1, name: 'Ada', weight: 12 }], row_count: 1, truncated: false };
  expect(answer.structuredContent).toEqual(body);
  const [content] = answer.content as { type: string; text: string }[];
  expect(JSON.parse(content?.text ?? '')).toEqual(body);

  expect(await client.callTool({ name: byId.operation_id, arguments: { id: 'second' } })).toMatchObject({
    isError: true,
    _meta: { 'rookery/problem': { code: 'INVALID_PARAMETERS', errors: [{ field: 'id' }] } },
  });
  expect(await client.callTool({ name: 'feed', arguments: {} })).toMatchObject({
    isError: true,
    _meta: { 'rookery/problem': { code: 'UNKNOWN_TOOL' } },
  });
  expect(
    (await client.callTool({ name: count.operation_id, arguments: {} })).structuredContent,
  ).toMatchObject({
    data: [{ n: 5 }],
  });
  expect(said()).toBe('');
});

test('a task with obfuscated tools; the process ends with its client', async () => {
  const { client, pid } = await start(farm, '--task', task.sample_id, '--obfuscate', '--tools', '1');
  expect(client.getInstructions()).toContain(task.question);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([expect.stringMatching(/^FUNC_\d+$/)]);
  const name = tools[0]?.name ?? '';
  const answer = await client.callTool({ name, arguments: { ARG_0: 2 } });
  expect(answer.structuredContent).toMatchObject({ data: [{ name: 'Bo\'b "B" \\ x' }] });
  expect(await client.callTool({ name: byId.operation_id, arguments: { id: 2 } })).toMatchObject({
    isError: true,
  });
  await client.close();
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('what cannot be served is said on the error stream, in one line', async () => {
  await expect(start(farm, '--db', 'aquarium')).rejects.toThrow(/OPTION_INVALID .*aquarium/);
  await expect(start(farm, '--task', 'test/zoo/9/rest')).rejects.toThrow(
    /OPTION_INVALID .*test\/zoo\/9\/rest/,
  );
  await expect(start(join(folder, 'nowhere'), '--db', 'zoo')).rejects.toThrow(/FARM_NOT_FOUND/);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Rookery } from '../../client/index.ts';
import type { Task } from '../../contracts/task.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { endpoint, parameter, writeZooFarmWithTask } from '../../services/testing/zoo.ts';
import { builtCommand } from '../support/built-package.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { installTools } from './install-tools.ts';

/** MCP Inspector's command line: a client independent of rookery and of the SDK's tests. */
const tools = await installTools();
const INSPECTOR = tools.missing === null ? realpathSync(tools.command('mcp-inspector-cli')) : '';

const byId = endpoint('by_id', 'SELECT id, name FROM animal WHERE id = :id', ['id', 'name'], {
  parameters: [parameter('id', 'integer')],
});
const folder = scratchFolder();
const farm = join(folder, 'farm');
let task: Task;
let server: RunningServer;
beforeAll(async () => {
  task = writeZooFarmWithTask(farm, { endpoints: [byId], question: 'What is the first animal called?' });
  const runs = { place: join(folder, 'runs.sqlite') };
  server = await startServer(farm, { port: 0, logger: false, agents: { runs } });
});
afterAll(() => server?.stop());

async function inspect(...args: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [INSPECTOR, '--cli', ...args], {
    // It looks for its own package.json one folder above the one it is started in.
    cwd: dirname(INSPECTOR),
  });
  return JSON.parse(stdout);
}

/** Every way to reach tools over MCP, as arguments of the inspector. */
async function ways(): Promise<[string, string[]][]> {
  const run = await new Rookery(server.address).run({ sample_id: task.sample_id });
  const stdio = [await builtCommand(), 'mcp', farm];
  const http = (path: string) => [`${server.address}${path}`, '--transport', 'http'];
  return [
    ['a domain', http('/mcp/zoo/rest')],
    ['a task', http(`/mcp/tasks/${task.sample_id}`)],
    ['a run', http(`${run.base}/mcp`)],
    ['stdio', [process.execPath, ...stdio, '--db', 'zoo']],
  ];
}

const CALL = ['--method', 'tools/call', '--tool-name', byId.operation_id, '--tool-arg'];

test.skipIf(tools.missing !== null)(
  'MCP Inspector lists and calls the tools of a domain, a task, a run, and over standard input and output',
  async () => {
    const check = async ([way, where]: [string, string[]]) => {
      const { tools } = await inspect(...where, '--method', 'tools/list');
      expect(tools, way).toMatchObject([
        { name: byId.operation_id, inputSchema: { required: ['id'] }, outputSchema: { type: 'object' } },
      ]);
      expect(await inspect(...where, ...CALL, 'id=1'), way).toMatchObject({
        structuredContent: { data: [{ id: 1, name: 'Ada' }], row_count: 1 },
      });
    };
    await Promise.all((await ways()).map(check));
  },
);

test.skipIf(tools.missing !== null)('MCP Inspector is told what is wrong with a call', async () => {
  const [[, where]] = (await ways()) as [[string, string[]]];
  expect(await inspect(...where, ...CALL, 'id=first')).toMatchObject({
    isError: true,
    _meta: { 'rookery/problem': { code: 'INVALID_PARAMETERS' } },
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import http from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { builtPackage } from '../tests/support/built-package.ts';
import { freePort } from '../tests/support/supervised.ts';
import { partHash, readFarm, servedFiles } from './base/farm.ts';
import { resolveChildModule } from './base/sqlite/child-pool.ts';
import { startServer } from './server.ts';
import { stepsIn } from './testing/runs.ts';
import { all, endpoint, parameter, RUNAWAY, temporaryFolder, writeZooFarm } from './testing/zoo.ts';

const folder = temporaryFolder();
const root = join(folder.path, 'farm');
const started: ChildProcess[] = [];
const entry = resolveChildModule(new URL('./testing/server-fixture.ts', import.meta.url));

beforeAll(() => {
  const counting = endpoint('counting', RUNAWAY.replace('FROM n)', 'FROM n WHERE i < :steps)'), ['n'], {
    parameters: [parameter('steps', 'integer')],
    speed: 'slow',
  });
  writeZooFarm(root, ['zoo'], [all, counting]);
});
afterEach(() => {
  for (const process_ of started.splice(0)) process_.kill('SIGKILL');
});
afterAll(() => folder.remove());

/** Starts one of our files in a new process. Resolves to it and its first output. */
async function start(...args: string[]): Promise<{ server: ChildProcess; said: string }> {
  const server = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(server);
  const said = await new Promise<string>((resolve) =>
    server.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  return { server, said };
}

async function serve() {
  const { server, said: address } = await start(...entry.execArgv, entry.file, root);
  const ended = new Promise<{ code: number | null; after: number }>((resolve) => {
    let asked = performance.now();
    server.once('exit', (code) => resolve({ code, after: performance.now() - asked }));
    server.once('stopping', () => {
      asked = performance.now();
    });
  });
  const stop = (signal: NodeJS.Signals) => {
    server.emit('stopping');
    server.kill(signal);
  };
  return { address, stop, ended };
}

/** Resolves when a query runs in a child process. */
function queryRuns(address: string): Promise<void> {
  const metrics = async () => (await request(`${address}/metrics`)).body.text();
  return expect.poll(metrics).toMatch(/^rookery_slow_queries_running\S* 1$/m);
}

/** Far more than a stop needs on a busy machine, far less than what it must not wait for. */
const BUSY_MS = 60_000;

// The stop has 3.5 seconds, three times what it needs unless the machine is busy.
test('SIGTERM: pending requests are answered, new connections are refused, and the process ends with 0', {
  retry: 3,
}, async () => {
  const { address, stop, ended } = await serve();
  const count = (n: number) => request(`${address}/v1/test/zoo/counting?steps=${n}`);
  await count(1);
  const steps = await stepsIn(1000, count);
  const inFlight = count(steps);
  await queryRuns(address);
  stop('SIGTERM');
  const isRefused = () =>
    request(`${address}/health/live`, { dispatcher: new Agent() }).then(
      ({ body }) => body.dump().then(() => false),
      () => true,
    );
  await expect.poll(isRefused).toBe(true);
  const answer = await inFlight;
  expect(answer.statusCode).toBe(200);
  expect(await answer.body.json()).toEqual({ data: [{ n: steps }], row_count: 1, truncated: false });
  const { code, after } = await ended;
  expect(code).toBe(0);
  expect(after).toBeLessThan(BUSY_MS);
});

test('SIGTERM: a query that would not end does not hold the process', async () => {
  const { address, stop, ended } = await serve();
  await request(`${address}/v1/test/zoo/counting?steps=1`);
  const runaway = request(`${address}/v1/test/zoo/counting?steps=900000000000`).catch((error) => error);
  await queryRuns(address);
  stop('SIGTERM');
  const { code, after } = await ended;
  expect(code).toBe(0);
  expect(after).toBeLessThan(BUSY_MS);
  expect(await runaway).toBeInstanceOf(Error);
});

test('an idle keep-alive connection does not delay the end', async () => {
  const { address, stop, ended } = await serve();
  await (await request(`${address}/health/live`)).body.dump();
  stop('SIGINT');
  const { code, after } = await ended;
  expect(code).toBe(0);
  expect(after).toBeLessThan(BUSY_MS);
});

/** How often a process is restarted under load; before a release, 20 or more. */
const RESTARTS = Number(process.env.ROOKERY_TEST_RESTARTS ?? 2);
/** The time that many restarts may take on a busy machine. */
const RESTARTS_MS = 240_000 + 60_000 * RESTARTS;

/** Clients that keep their connections and repeat requests, most with short pauses, until stopped. */
function keepAsking(url: string) {
  let isOver = false;
  const lost: string[] = [];
  let answered = 0;
  const viaUndici = new Agent({ connections: 4 });
  const viaNode = new http.Agent({ keepAlive: true });
  const asks: (() => Promise<{ status: number; text: string; retryAfter?: string | undefined }>)[] = [
    async () => {
      const { statusCode: status, body, headers } = await request(url, { dispatcher: viaUndici });
      return { status, text: await body.text(), retryAfter: headers['retry-after']?.toString() };
    },
    () =>
      new Promise((resolve, reject) => {
        const asked = http.get(url, { agent: viaNode }, (answer) => {
          let text = '';
          answer.on('data', (part) => {
            text += part;
          });
          const { statusCode: status = 0, headers } = answer;
          answer.on('end', () => resolve({ status, text, retryAfter: headers['retry-after'] }));
          answer.on('error', reject);
        });
        asked.on('error', reject);
      }),
  ];
  const client = async (at: number) => {
    while (!isOver) {
      try {
        const { status, text, retryAfter } = await (asks[at % 2] as (typeof asks)[0])();
        if (status === 200 && text.includes('"row_count"')) answered++;
        // Asked to retry: nothing was lost.
        else if (status !== 503 || retryAfter === undefined) lost.push(`${status} ${text}`);
      } catch (error) {
        // No process listens at the moment: nothing was sent.
        const { code, syscall, message } = error as NodeJS.ErrnoException;
        if (code !== 'ECONNREFUSED' || syscall !== 'connect') lost.push(`${code} ${message}`);
      }
      await setTimeout(at < 2 ? 0 : at * 5);
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, (_, at) => client(at)));
  return {
    lost,
    answered: () => answered,
    async end() {
      isOver = true;
      await clients;
      viaNode.destroy();
      await viaUndici.close();
    },
  };
}

test.each(['directly', 'through the gateway'])(
  'restarts under load lose no request of clients that keep connections: %s',
  async (how) => {
    const farm = ['--expect', partHash(readFarm(root).farm, servedFiles('zoo'))];
    const main = join(await builtPackage(), 'services', 'main.js');
    const [port, front] = [await freePort(), await freePort()];
    const processes = { serve: ['serve', root, '--port', String(port), '--host', '127.0.0.1', ...farm] };
    const gateway = [
      'gateway',
      root,
      '--port',
      String(front),
      '--host',
      '127.0.0.1',
      '--services-at',
      `http://127.0.0.1:${port}`,
    ];
    const args = how === 'directly' ? [processes.serve] : [processes.serve, gateway];
    const running = await Promise.all(args.map(async (each) => (await start(main, ...each)).server));
    const clients = keepAsking(`http://127.0.0.1:${how === 'directly' ? port : front}/v1/test/zoo/animals`);
    try {
      for (let restart = 0; restart < RESTARTS; restart++) {
        const at = restart % running.length;
        const before = clients.answered();
        await expect.poll(clients.answered, { timeout: BUSY_MS }).toBeGreaterThan(before + 50);
        const stopped = running[at] as ChildProcess;
        const exit = new Promise((resolve) => stopped.once('exit', resolve));
        stopped.kill('SIGTERM');
        expect(await exit).toBe(0);
        running[at] = (await start(main, ...(args[at] as string[]))).server;
      }
      const before = clients.answered();
      await expect.poll(clients.answered, { timeout: BUSY_MS }).toBeGreaterThan(before + 50);
    } finally {
      await clients.end();
    }
    expect(clients.lost).toEqual([]);
  },
  RESTARTS_MS,
);

/** A server's answer to bytes that no HTTP client would send. */
async function raw(address: string, bytes: string): Promise<string> {
  const { port, hostname } = new URL(address);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

test('header fields too large and requests that are not HTTP are problems too', async () => {
  const server = await startServer(root, { port: 0 });
  const large = await raw(server.address, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`);
  expect(large).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  expect(large).toContain('content-type: application/problem+json');
  expect(large).toContain('"code":"HEADERS_TOO_LARGE"');
  const nonsense = await raw(server.address, 'nonsense\r\n\r\n');
  expect(nonsense).toMatch(/^HTTP\/1\.1 400 /);
  expect(nonsense).toContain('"code":"BAD_REQUEST"');
  await server.stop();
});

test('a port that is taken is reported in one line', async () => {
  const server = await startServer(root, { port: 0 });
  const port = Number(new URL(server.address).port);
  await expect(startServer(root, { port })).rejects.toMatchObject({
    name: 'UserError',
    code: 'OPTION_INVALID',
    file: '--port',
    message: expect.stringContaining('EADDRINUSE'),
  });
  await server.stop();
  await server.stop();
});

test('with keys: no request gets in without one, except probes; calls of agents with a key work', async () => {
  const server = await startServer(root, {
    port: 0,
    logger: false,
    access: { keys: ['secret'] },
    agents: {},
  });
  try {
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await request(`${server.address}${path}`, { headers });
      return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> };
    };
    const key = { 'x-api-key': 'secret' };
    for (const path of ['/health/live', '/health/ready']) expect((await ask(path)).status).toBe(200);
    for (const path of ['/v1/test/zoo/animals', '/tasks', '/tools/zoo/rest']) {
      expect((await ask(path)).status).toBe(401);
      expect((await ask(path, { 'x-rookery-internal': 'guessed' })).status).toBe(401);
      expect((await ask(path, key)).status).toBe(200);
    }
    // The list's own addresses call the service inside this process, which has no key.
    const list = await ask('/tools/zoo/rest?format=openapi', key);
    const [{ url = '' } = {}] = list.body.servers as { url?: string }[];
    const called = await ask(`${new URL(url, server.address).pathname}/v1/test/zoo/animals`, key);
    expect(called).toMatchObject({ status: 200, body: { truncated: false } });
  } finally {
    await server.stop();
  }
});

test('a service that finds another farm than expected does not start', async () => {
  const { farm } = readFarm(root);
  const own = partHash(farm, servedFiles('zoo'));
  const server = await startServer(root, { port: 0, logger: false, expect: own });
  await server.stop();
  await expect(startServer(root, { port: 0, logger: false, expect: 'another' })).rejects.toThrow(
    new RegExp(`is another farm than the one this process was set up for \\(${own}, not another\\)`),
  );
});

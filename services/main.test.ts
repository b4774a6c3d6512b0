import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

const server = createServer((request, response) => {
  response.writeHead(request.url === '/health/live' ? 200 : 404).end();
});
let address = '';

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

async function check(url: string): Promise<{ readonly code: number; readonly errors: string }> {
  const main = new URL('./main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', main, 'check', url]);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, errors };
}

test('`check` exits with 0 when an address answers 2xx, else quietly with 1', async () => {
  expect(await check(`${address}/health/live`)).toEqual({ code: 0, errors: '' });
  expect(await check(`${address}/nothing`)).toEqual({ code: 1, errors: '' });
  expect(await check('http://127.0.0.1:1/')).toEqual({ code: 1, errors: '' });
});

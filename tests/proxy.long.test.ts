import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Agent, fetch, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { type RunningServer, startServer } from '../services/index.ts';
import { writeZooFarmWithTask } from '../services/testing/zoo.ts';
import { scratchFolder } from './support/split-fixture.ts';
import { freePort } from './support/supervised.ts';

/** The page's own configuration of each, with this test's addresses and certificate in place of the page's. */
const PROXIES = {
  caddy: (text: string, { port, upstream, folder }: Place) => ({
    config: `{\n\tadmin off\n\tauto_https off\n}\n${text
      .replace(
        'farm.example.org {',
        `https://farm.example.org:${port} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
      )
      .replace('127.0.0.1:8080', upstream)}`,
    args: ['run', '--adapter', 'caddyfile', '--config'],
  }),
  nginx: (text: string, { port, upstream, folder }: Place) => ({
    config: `daemon off; pid ${folder}/nginx.pid; error_log stderr;
      events {}
      http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
      ${text
        .replace('127.0.0.1:8080', upstream)
        .replace('listen 443 ssl', `listen ${port} ssl`)
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/cert.pem;`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/key.pem;`)} }`,
    args: ['-e', 'stderr', '-c'],
  }),
} as const;

interface Place {
  readonly port: number;
  readonly upstream: string;
  readonly folder: string;
}

/** Where a program is: on the path, or where administrators have theirs. */
function programOf(name: string): string | undefined {
  const folders = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`.split(':');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Of this machine, by which a caller is another than the proxy, which asks from loopback. */
const OWN_ADDRESS =
  Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address ?? '';

const page = readFileSync(join(packageRoot, 'docs', 'proxy.md'), 'utf8');

describe.each(Object.keys(PROXIES) as (keyof typeof PROXIES)[])('behind %s with TLS', (name) => {
  const program = programOf(name);
  describe.skipIf(!program || OWN_ADDRESS === '')('as the page has it', () => {
    const folder = scratchFolder();
    const lines: { readonly address: string; readonly path: string }[] = [];
    let server: RunningServer;
    let proxy: ReturnType<typeof spawn>;
    let dispatcher: Agent;
    let url: string;

    beforeAll(async () => {
      const farm = join(folder, 'farm');
      writeZooFarmWithTask(farm);
      server = await startServer(farm, {
        port: 0,
        logger: false,
        access: { trustProxy: '127.0.0.1' },
        agents: { runs: { place: join(folder, 'runs.sqlite') } },
        watch: { accessLog: { share: 1, write: (line) => void lines.push(JSON.parse(line)) } },
      });
      execFileSync('openssl', [
        ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' '),
        ...['-subj', '/CN=farm.example.org', '-addext', 'subjectAltName=DNS:farm.example.org'],
        ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
      ]);
      const port = await freePort();
      const fence = `\`\`\`${name === 'caddy' ? 'caddyfile' : name}\n`;
      const text = page.split(fence)[1]?.split('```')[0] ?? '';
      const place = { port, upstream: new URL(server.address).host, folder: folder };
      const { config, args } = PROXIES[name](text, place);
      const file = join(folder, 'proxy.conf');
      writeFileSync(file, config);
      proxy = spawn(program ?? '', [...args, file], { stdio: ['ignore', 'ignore', 'inherit'] });
      url = `https://farm.example.org:${port}`;
      dispatcher = new Agent({
        connect: {
          ca: readFileSync(join(folder, 'cert.pem')),
          lookup: (_host, _options, done) => done(null, [{ address: OWN_ADDRESS, family: 4 }]),
        },
      });
      const isUp = () =>
        request(`${url}/health/live`, { dispatcher }).then(
          ({ statusCode }) => statusCode,
          () => 0,
        );
      await vi.waitUntil(async () => (await isUp()) === 200, { timeout: 20_000, interval: 100 });
    }, 60_000);
    afterAll(async () => {
      await dispatcher?.close();
      proxy?.kill();
      if (proxy) await once(proxy, 'exit');
      await server?.stop();
    });

    const get = (path: string, headers: Record<string, string> = {}) =>
      request(`${url}${path}`, { dispatcher, headers });

    test('callers are known by their own addresses, whatever they say they are', async () => {
      lines.length = 0;
      await (await get('/tasks', { 'x-forwarded-for': '203.0.113.9' })).body.dump();
      await expect.poll(() => lines).toMatchObject([{ path: '/tasks', address: OWN_ADDRESS }]);
      expect((await get('/metrics')).statusCode).toBe(401);
    });

    test('long texts arrive compressed, as rookery has compressed them', async () => {
      const { headers, body } = await get('/openapi/rookery.json', { 'accept-encoding': 'br' });
      await body.dump();
      expect(headers['content-encoding']).toBe('br');
    });

    test('the stream of an MCP session tells at once what happens, while nothing else comes', async () => {
      const begun = await request(`${url}/runs`, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sample_id: 'test/zoo/1/rest', answer_tool: true }),
      });
      const { base } = (await begun.body.json()) as { base: string };
      let changed = 0;
      const client = new Client({ name: 'test', version: '1' });
      client.fallbackNotificationHandler = async () => void changed++;
      const through = ((input: string | URL, init?: object) =>
        fetch(input, { ...init, dispatcher })) as never;
      const transport = new StreamableHTTPClientTransport(new URL(`${url}${base}/mcp`), { fetch: through });
      await client.connect(transport);
      await client.callTool({ name: 'submit_answer', arguments: { answer: 'Bob' } });
      await expect.poll(() => changed, { timeout: 5000 }).toBe(1);
      await client.close();
    });

    test('pages of the name by which callers know it may use MCP, and others may not', async () => {
      const from = async (origin: string) => {
        const { statusCode, body } = await request(`${url}/mcp/zoo/rest`, {
          dispatcher,
          method: 'POST',
          headers: {
            origin,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', method: 'x', id: 1 }),
        });
        return [statusCode, (await body.text()).includes('FOREIGN_ORIGIN')];
      };
      expect(await from(url)).toEqual([400, false]);
      expect(await from('https://elsewhere.test')).toEqual([403, true]);
    });
  });
});

import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildGateway } from '../gateway/start-gateway.ts';
import { startServer } from '../server.ts';
import { oddServer } from '../testing/runs.ts';
import { all, temporaryFolder, writeZooFarm } from '../testing/zoo.ts';
import { readFarm } from './farm.ts';
import { listen } from './http/listen.ts';
import { telemetryEnvironment } from './telemetry.ts';

const folder = temporaryFolder();
const root = join(folder.path, 'farm');
const open: (() => Promise<unknown> | unknown)[] = [];
beforeAll(() => writeZooFarm(root, ['zoo'], [all]));
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(() => folder.remove());

interface Line {
  readonly request_id: string;
  readonly [field: string]: unknown;
}

/** A service and its gateway, both logging into `lines`. */
async function logged(share: number, keys: readonly string[] = []) {
  const lines = { gateway: [] as Line[], service: [] as Line[] };
  const watch = (to: Line[]) => ({
    accessLog: { share, write: (line: string) => to.push(JSON.parse(line)) },
  });
  const service = await startServer(root, { port: 0, logger: false, watch: watch(lines.service) });
  open.push(() => service.stop());
  const { farm } = readFarm(root);
  const options = { farm, services: new Map([['zoo', [new URL(service.address)]]]), logger: false } as const;
  const app = await buildGateway({ ...options, keys, watch: watch(lines.gateway) });
  const gateway = await listen(app, { port: 0 });
  open.push(() => gateway.stop());
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await request(`${gateway.address}${path}`, { headers });
    await answer.body.dump();
    return answer;
  };
  return { lines, ask, stopService: () => service.stop() };
}

test('logs an answer as JSON with the ids of request and trace, but without query, body or key', async () => {
  const { lines, ask } = await logged(1, ['secret']);
  const traceparent = `00-${'ab'.repeat(16)}-${'12'.repeat(8)}-01`;
  await ask('/v1/test/zoo/animals?x=hidden', { 'x-request-id': 'mine', 'x-api-key': 'secret', traceparent });
  const common = {
    request_id: 'mine',
    trace_id: 'ab'.repeat(16),
    method: 'GET',
    path: '/v1/test/zoo/animals',
    domain: 'zoo',
    status: 400,
    level: 'info',
  };
  expect(lines.gateway).toMatchObject([{ ...common, kind: 'domain', key: 0 }]);
  expect(lines.service).toMatchObject([{ ...common, kind: 'rest' }]);
  expect(JSON.stringify(lines)).not.toMatch(/secret|hidden/);
});

test('logs the id of a run', async () => {
  const { lines, ask } = await logged(1);
  await ask('/runs/r_12/answer?x=1');
  expect(lines.gateway).toMatchObject([{ run_id: 'r_12', status: 404 }]);
});

test('samples a share, the same requests in every process; skips probes', async () => {
  const { lines, ask } = await logged(0.3);
  for (let i = 0; i < 200; i++) await ask('/v1/test/zoo/animals?y=1', { 'x-request-id': `request-${i}` });
  for (let i = 0; i < 20; i++) await ask('/health/live', { 'x-request-id': `probe-${i}` });
  const ids = (of: readonly Line[]) => of.map(({ request_id }) => request_id);
  expect(ids(lines.gateway)).toEqual(ids(lines.service));
  expect(lines.gateway.length).toBeGreaterThan(30);
  expect(lines.gateway.length).toBeLessThan(90);
});

test('always logs failures', async () => {
  const { lines, ask, stopService } = await logged(0);
  expect((await ask('/v1/test/zoo/animals')).statusCode).toBe(200);
  expect(lines.gateway).toEqual([]);
  await stopService();
  expect((await ask('/v1/test/zoo/animals?z=1')).statusCode).toBe(503);
  expect(lines.gateway).toMatchObject([{ status: 503, level: 'error', path: '/v1/test/zoo/animals' }]);
});

interface Told {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly service: string;
}

/** The spans that a gateway and its service export for a request within a trace. */
async function spansOf(traceparent: string): Promise<Told[]> {
  const spans: { name: string; traceId: string; spanId: string; parentSpanId?: string; service: string }[] =
    [];
  const collector = await oddServer((incoming, outgoing) => {
    let text = '';
    incoming.on('data', (chunk) => (text += chunk));
    incoming.on('end', () => {
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
        const named = resource.attributes.find(({ key }: { key: string }) => key === 'service.name');
        for (const span of scopeSpans[0].spans) spans.push({ ...span, service: named.value.stringValue });
      }
      outgoing.setHeader('content-type', 'application/json').end('{}');
    });
  });
  open.push(() => collector.close());
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  try {
    const watchOf = (name: 'serve' | 'gateway') => telemetryEnvironment(process.env, name);
    const service = await startServer(root, { port: 0, logger: false, watch: await watchOf('serve') });
    const app = await buildGateway({
      farm: readFarm(root).farm,
      services: new Map([['zoo', [new URL(service.address)]]]),
      logger: false,
      watch: await watchOf('gateway'),
    });
    const gateway = await listen(app, { port: 0 });
    const answer = await request(`${gateway.address}/v1/test/zoo/animals`, { headers: { traceparent } });
    await answer.body.dump();
    await gateway.stop();
    await service.stop();
  } finally {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  }
  return spans;
}

test('spans of a gateway and its service belong to the caller’s trace', async () => {
  const spans = await spansOf(`00-${'cd'.repeat(16)}-${'34'.repeat(8)}-01`);
  const [first, second] = ['rookery-gateway', 'rookery-serve'].map((name) =>
    spans.find(({ service, name: route }) => service === name && route.includes('/v1/')),
  );
  expect(first).toMatchObject({ traceId: 'cd'.repeat(16), parentSpanId: '34'.repeat(8) });
  expect(second).toMatchObject({ traceId: 'cd'.repeat(16), parentSpanId: first?.spanId });
});

test('does not record a trace that its caller does not sample', async () => {
  expect(await spansOf(`00-${'ef'.repeat(16)}-${'56'.repeat(8)}-00`)).toEqual([]);
});

test('logs nothing by default, and rejects an invalid share', async () => {
  expect(await telemetryEnvironment({}, 'serve')).toEqual({});
  expect(await telemetryEnvironment({ ROOKERY_ACCESS_LOG: '0.5' }, 'serve')).toEqual({
    accessLog: { share: 0.5 },
  });
  for (const text of ['all', '-1', '1.5', '10%']) {
    await expect(telemetryEnvironment({ ROOKERY_ACCESS_LOG: text }, 'serve')).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      file: 'ROOKERY_ACCESS_LOG',
    });
  }
});

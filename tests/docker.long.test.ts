import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentRun, type ClientTask, Rookery, type Run } from '../client/index.ts';
import type { Farm } from '../contracts/farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import type { Formulation, Sample } from '../contracts/sample.ts';
import { SMALL_DOMAINS } from '../databases/domains.ts';
import { emitBundledCompose, emitCompose, HARNESS_COMPOSE, harnessComposeFile } from '../deploy/deploy.ts';
import { emitKubernetes } from '../deploy/kubernetes/emit-kubernetes.ts';
import { readFarm as readScoredFarm } from '../eval/farm/read-farm.ts';
import { readFarm } from '../services/base/farm.ts';
import { Player } from './agents/play.ts';
import { buildImage, ComposeProject, type Container, composeCommand, docker } from './support/docker.ts';
import { farmOf, farmOfDomains } from './support/farms.ts';
import { httpApp } from './support/http-app.ts';
import { type LoadRequest, startLoad, type Tally } from './support/load.ts';
import { replayGold } from './support/replay-gold.ts';
import { scratchFolder, temporaryFolder } from './support/split-fixture.ts';
import { freePort } from './support/supervised.ts';

const MINUTES = 60_000;
/** An image to test instead of building one. */
const GIVEN_IMAGE = process.env.ROOKERY_TEST_IMAGE;
const IMAGE = GIVEN_IMAGE ?? 'rookery:test';

/** Those whose tasks are answered by rows. */
const READING: Formulation[] = ['rest', 'slot', 'sel', 'query'];
const DOMAINS = ['energy-coop', 'river-freight', 'vet-clinics'];
/** What the image is built with. */
const SPLIT = SMALL_DOMAINS.map((name) => `--only ${name}`).join(' ');

describe.skipIf(composeCommand === null)(
  composeCommand ? 'in containers' : 'in containers (needs Docker with Compose)',
  { timeout: 10 * MINUTES },
  () => {
    /** The repository's own files for Compose, for fewer domains. */
    const repository = scratchFolder();

    beforeAll(async () => {
      if (!GIVEN_IMAGE) {
        await buildImage(packageRoot, IMAGE, '--build-arg', `SPLIT=${SPLIT}`);
      }
      writeFileSync(join(repository, 'docker-compose.yml'), emitBundledCompose(SMALL_DOMAINS));
      writeFileSync(join(repository, HARNESS_COMPOSE), harnessComposeFile());
    }, 30 * MINUTES);

    describe('an exam', () => {
      const UP = 'ROOKERY_EXAM=1 docker compose -f docker-compose.yml -f docker-compose.harness.yml up -d';
      const harnessKey = 'the-key-of-whoever-gives-the-exam';
      let project: ComposeProject;
      let agentsAt: string;
      let harnessAt: string;

      beforeAll(async () => {
        const [port, harnessPort] = [await freePort(), await freePort()];
        agentsAt = `http://127.0.0.1:${port}`;
        harnessAt = `http://127.0.0.1:${harnessPort}`;
        const [setting = '', , , ...up] = UP.split(' ');
        project = new ComposeProject(repository, {
          ROOKERY_IMAGE: IMAGE,
          ROOKERY_PORT: String(port),
          ROOKERY_HARNESS_PORT: String(harnessPort),
          ROOKERY_HARNESS_KEY: harnessKey,
          ...Object.fromEntries([setting.split('=')]),
        });
        await project.compose([...up, '--no-build']);
        await project.healthy(5);
      }, 5 * MINUTES);
      afterAll(() => project.compose(['down', '-v', '--remove-orphans']), 2 * MINUTES);

      test('the port that agents reach has runs and nothing else, with or without the key', async () => {
        const places = [
          '/',
          '/tasks',
          '/metrics',
          '/openapi/rest.json',
          '/openapi/rookery.json',
          '/docs/vet_clinics',
        ];
        for (const place of [...places, '/v1/bundled/vet_clinics/slot/toolset', '/mcp/vet_clinics/rest']) {
          for (const headers of [{}, { 'x-harness-key': harnessKey }]) {
            expect((await request(`${agentsAt}${place}`, { headers })).statusCode, place).toBe(404);
          }
        }
        const ready = await request(`${agentsAt}/health/ready`);
        expect([ready.statusCode, await ready.body.text()]).toEqual([
          200,
          expect.not.stringMatching(/clinics/),
        ]);
      });

      test('the harness gives it at its own port, and an agent takes it at the other', async () => {
        const harness = new Rookery(harnessAt, { harnessKey });
        const batch = await harness.batch({ select: { formulation: ['rest'], sample: 3, seed: 1 } });
        for (const run of batch.runs) {
          const agent = AgentRun.at(`${agentsAt}${run.base}`);
          const { tools } = await agent.tools('plain');
          const answer = await agent.call(tools[0]?.name ?? '', {});
          expect([200, 400]).toContain(answer.status);
          expect(await agent.answer([['x']])).toMatchObject({ status: 'answered', calls: 1 });
          const view = await request(`${agentsAt}${run.base}`);
          expect(await view.body.text()).not.toMatch(/bundled|vet_clinics|river_freight|energy_coop/);
          expect(await run.view()).toMatchObject({ sample_id: run.task.sample_id, status: 'answered' });
        }
        const predictions = await harness.send(`/runs/${batch.id}/predictions`);
        expect((await predictions.text()).trim().split('\n')).toHaveLength(4);
        const metrics = await (await request(`${harnessAt}/metrics`)).body.text();
        expect(metrics).toMatch(/rookery_gateway_scrape_success\{service="agents",[^}]*\} 1/);
      });

      test('nothing but the two ports of the gateway is published, on loopback', async () => {
        for (const { id, service } of await project.containers()) {
          const [inspected] = JSON.parse(await docker('inspect', id));
          const published = Object.values<{ HostIp: string }[]>(
            inspected.HostConfig.PortBindings ?? {},
          ).flat();
          expect(published, service).toHaveLength(service === 'gateway' ? 2 : 0);
          for (const { HostIp } of published) expect(HostIp).toBe('127.0.0.1');
        }
      });
    });

    describe('docker compose up in the repository', () => {
      let project: ComposeProject;
      let origin: string;
      let containers: Container[];

      beforeAll(async () => {
        const port = await freePort();
        origin = `http://127.0.0.1:${port}`;
        project = new ComposeProject(repository, { ROOKERY_IMAGE: IMAGE, ROOKERY_PORT: String(port) });
        await project.compose(['up', '-d', '--no-build']);
        await project.healthy(5);
        containers = await project.containers();
      }, 5 * MINUTES);
      afterAll(() => project.compose(['down', '-v', '--remove-orphans']), 2 * MINUTES);

      const container = (service: string) => containers.find((each) => each.service === service)?.id ?? '';

      test('brings up a gateway, one service a domain and one for agents, and answers for all', async () => {
        expect(containers.map(({ service }) => service).sort()).toEqual(
          [...DOMAINS, 'agents', 'gateway'].sort(),
        );
        const index = (await (await request(`${origin}/`)).body.json()) as { domains: { db: string }[] };
        expect(index.domains.map(({ db }) => db)).toEqual(['energy_coop', 'river_freight', 'vet_clinics']);
        expect((await request(`${origin}/health/ready`)).statusCode).toBe(200);
        const spec = (await (await request(`${origin}/openapi/rest.json`)).body.json()) as { paths: object };
        expect(Object.keys(spec.paths).length).toBeGreaterThan(100);
      });

      test('serves the farm that the host makes, byte for byte, so that the host can score', async () => {
        const made = readFileSync(join(await farmOfDomains(...SMALL_DOMAINS), 'farm.json'), 'utf8');
        expect(`${await docker('exec', container('agents'), 'cat', '/farm/farm.json')}\n`).toBe(made);
      });

      test('every process is locked up, and only the gateway has a port, on loopback', async () => {
        for (const { id, service } of containers) {
          const [inspected] = JSON.parse(await docker('inspect', id));
          expect(inspected.Config.User, service).toBe('node');
          expect(inspected.HostConfig, service).toMatchObject({
            ReadonlyRootfs: true,
            CapDrop: ['ALL'],
            SecurityOpt: ['no-new-privileges:true'],
            Memory: (service === 'agents' ? 512 : 256) * 1024 * 1024,
            PidsLimit: 128,
            RestartPolicy: { Name: 'unless-stopped' },
          });
          for (const { RW, Destination } of inspected.Mounts) {
            expect(RW, `${service} ${Destination}`).toBe(service === 'agents' && Destination === '/runs');
          }
          const published = Object.values(inspected.HostConfig.PortBindings ?? {}).flat();
          expect(published, service).toHaveLength(service === 'gateway' ? 1 : 0);
          for (const each of published) expect(each).toMatchObject({ HostIp: '127.0.0.1' });
        }
      });

      test('no gold is in any running container, nor reachable over HTTP', async () => {
        const gold = readScoredFarm(await farmOfDomains(...SMALL_DOMAINS)).samples.find(({ query }) =>
          /= '\w+ \w+'/.test(query),
        ) as Sample;
        for (const { id, service } of containers) {
          const files = await filesOf(id);
          expect(files.length, service).toBeGreaterThan(100);
          const suspicious = /(^|\/)eval(\/|$)|\.jsonl$|coverage\.json$|questions|_databases/;
          // Questions without their gold, for processes that hand out tasks.
          const tasks = service === 'agents' ? /^\/farm\/tasks\/\w+\.jsonl$/ : /^$/;
          expect(
            files.filter(
              (path) => !path.includes('/node_modules/') && suspicious.test(path) && !tasks.test(path),
            ),
            service,
          ).toEqual([]);
          const holding = await docker(
            'exec',
            id,
            'grep',
            '-rlF',
            '-e',
            gold.query,
            '/farm',
            '/app/dist',
            '/opt',
            '/runs',
          ).catch(() => 'nothing');
          expect(holding, service).toBe('nothing');
        }
        for (const path of [
          '/eval/vet_clinics.jsonl',
          '/farm/eval/vet_clinics.jsonl',
          '/openapi/..%2Feval%2Fvet_clinics.jsonl',
          '/openapi/%2e%2e/eval/vet_clinics.jsonl',
          '/coverage.json',
          '/tasks/..%2Feval%2Fvet_clinics.jsonl',
          '/runs/..%2F..%2Ffarm%2Ftasks%2Fvet_clinics.jsonl',
          '/v1/bundled/vet_clinics/..%2F..%2Feval%2Fvet_clinics.jsonl',
        ]) {
          const { statusCode, body } = await request(`${origin}${path}`);
          expect(statusCode, path).toBe(404);
          expect(await body.text()).not.toContain(gold.query);
        }
      });

      test('a service cannot write', async () => {
        for (const service of ['vet-clinics', 'gateway', 'agents']) {
          const writable = service === 'agents' ? [] : ['/runs'];
          for (const place of ['/', '/farm', '/app', '/opt/farm', '/home/node', '/farm/tasks', ...writable]) {
            await expect(inside(container(service), `echo x > ${place}/x`), place).rejects.toThrow();
          }
        }
        const write = `new (require('/app/node_modules/better-sqlite3'))('/farm/databases/vet_clinics.sqlite').exec('create table x(y)')`;
        await expect(docker('exec', container('vet-clinics'), 'node', '-e', write)).rejects.toThrow(/SQLITE/);
      });

      test('a service sees no other domain’s data, not even as root', async () => {
        for (const service of DOMAINS) {
          const databases = (await filesOf(container(service))).filter((path) => path.endsWith('.sqlite'));
          expect(databases).toEqual([`/farm/databases/${service.replace('-', '_')}.sqlite`]);
          expect(await docker('exec', '-u', '0', container(service), 'ls', '-A', '/opt/farm')).toBe('');
          await expect(
            docker('exec', '-u', '0', container(service), 'umount', '/opt/farm'),
          ).rejects.toThrow();
        }
        const given = async (service: string) =>
          (await filesOf(container(service)))
            .filter((path) => /^\/(farm|opt|volumes|runs)\//.test(path))
            .sort();
        expect(await given('gateway')).toEqual(['/farm/farm.json']);
        const dbs = DOMAINS.map((service) => service.replace('-', '_'));
        expect((await given('agents')).filter((path) => !path.startsWith('/runs/runs.sqlite'))).toEqual([
          '/farm/farm.json',
          ...dbs.map((db) => `/farm/services/${db}.json`),
          ...dbs.flatMap((db) => [`/farm/tasks/${db}.index.json`, `/farm/tasks/${db}.jsonl`]),
        ]);
      });

      test('nothing inside can reach the outside', async () => {
        // Another container on the default network stands for the outside.
        const outside = await docker('run', '-d', '--rm', IMAGE, 'serve', '/opt/farm');
        try {
          const address = await docker('inspect', '-f', '{{.NetworkSettings.IPAddress}}', outside);
          const there = `http://${address}:8080/`;
          const reached = () => docker('run', '--rm', '--entrypoint', 'node', IMAGE, '-e', fetching(there));
          await expect.poll(reached, { timeout: MINUTES }).toBe('200');
          for (const { id, service } of containers) {
            const answer = await docker('exec', id, 'node', '-e', fetching(there));
            expect(answer, service).toBe('none');
          }
        } finally {
          await docker('kill', outside);
        }
        // Nor the host, at any of the addresses that it has in their networks.
        const host = createServer((_request, answer) => answer.end());
        await new Promise<void>((resolve) => host.listen(0, '0.0.0.0', resolve));
        try {
          const { port } = host.address() as AddressInfo;
          const names = [`${project.name}_inside`, `${project.name}_outside`];
          const format = '{{(index .IPAM.Config 0).Gateway}}';
          const addresses = (await docker('network', 'inspect', '-f', format, ...names)).split('\n');
          expect(addresses).toHaveLength(2);
          for (const { id, service } of containers.filter((each) => each.service !== 'gateway')) {
            for (const address of addresses) {
              const answer = await docker('exec', id, 'node', '-e', fetching(`http://${address}:${port}/`));
              expect(answer, `${service} ${address}`).toBe('none');
            }
          }
        } finally {
          host.close();
        }
        const networks = JSON.parse(
          await docker('network', 'inspect', `${project.name}_inside`, `${project.name}_outside`),
        );
        expect(networks[0].Internal).toBe(true);
        expect(networks[1].Options).toMatchObject({
          'com.docker.network.bridge.enable_ip_masquerade': 'false',
        });
      });

      test('what agents did outlives the containers', async () => {
        const farm = new Rookery(origin);
        const [task] = (await farm.get<{ tasks: ClientTask[] }>('/tasks?formulation=rest&limit=1')).tasks;
        const run = await farm.run({ sample_id: task?.sample_id ?? '', agent: 'me' });
        await run.answer('enough');
        await project.compose(['down']);
        await project.compose(['up', '-d', '--no-build']);
        await project.healthy(5);
        await allReady(origin);
        expect(await run.view()).toMatchObject({ status: 'answered', answer: { answer: 'enough' } });
      });

      test('delivering again changes nothing, and down leaves nothing', async () => {
        const again = await project.compose(['up', '--no-build', 'farm']);
        expect(again.match(/unchanged/g)).toHaveLength(5);
        await project.compose(['down', '-v']);
        expect(await project.leftovers()).toBe('');
      });
    });

    describe('docker compose up in a farm', () => {
      let farm: string;
      let samples: readonly Sample[];
      let project: ComposeProject;
      let origin: string;

      beforeAll(async () => {
        farm = await farmOf('bundled');
        samples = readScoredFarm(farm).samples.filter(({ formulation }) => READING.includes(formulation));
        const port = await freePort();
        origin = `http://127.0.0.1:${port}`;
        project = new ComposeProject(farm, {
          ROOKERY_IMAGE: IMAGE,
          ROOKERY_PORT: String(port),
          ROOKERY_REPLICAS: '2',
        });
        await project.compose(['up', '-d']);
        await project.healthy(8);
        await allReady(origin);
      }, 5 * MINUTES);
      afterAll(() => project.compose(['down', '-v', '--remove-orphans']), 2 * MINUTES);

      test('every gold REST call is right through the gateway', async () => {
        const app = httpApp(origin);
        const { played, wrong } = await replayGold(farm, app, ({ formulation }) => formulation === 'rest');
        await app.close();
        expect(wrong).toEqual([]);
        expect(played).toBeGreaterThan(200);
      });

      test('SLOT and SEL sequences are right, though their calls go to one replica and the other', async () => {
        const app = httpApp(origin);
        const sequences = ({ formulation }: Sample, i: number) =>
          (formulation === 'slot' || formulation === 'sel') && i % 9 < 6;
        const { played, wrong } = await replayGold(farm, app, sequences);
        await app.close();
        expect(wrong).toEqual([]);
        expect(played).toBeGreaterThan(100);
        const metrics = await (await request(`${origin}/metrics`)).body.text();
        for (const db of ['energy_coop', 'river_freight', 'vet_clinics']) {
          const answered = new RegExp(
            `^rookery_http_requests_total\\{service="${db}",instance="([\\d.:]+)",.*kind="slot",code="200"\\} (\\d+)$`,
            'gm',
          );
          const counts = [...metrics.matchAll(answered)].map(([, , count]) => Number(count));
          expect(counts, db).toHaveLength(2);
          for (const count of counts) expect(count).toBeGreaterThan(10);
        }
      });

      test('a batch of runs, by HTTP and by MCP, is recorded and scores 100 % on the host', async () => {
        const client = new Rookery(origin);
        const player = new Player(client);
        const batch = await client.batch({
          select: { formulation: READING, sample: 30, seed: 7 },
          agent: 'gold',
        });
        const right = await Promise.all(
          batch.runs.map((run, i) =>
            player.attempt(run, sampleOf(samples, run.task.sample_id), i % 2 === 0 ? 'http' : 'mcp'),
          ),
        );
        expect(right).toEqual(batch.runs.map(() => true));
        const [key] = /(?<=for this process: )\S+/.exec(await project.compose(['logs', 'agents'])) ?? [];
        const headers = { 'x-harness-key': key ?? '' };
        const predictions = await (await client.send(`/runs/${batch.id}/predictions`, { headers })).text();
        expect(await scoredOnHost(farm, predictions)).toBe(30);
        await expect(batch.score()).rejects.toMatchObject({ problem: { code: 'HARNESS_ONLY' } });
      });

      test('obfuscated runs are exported where they are kept, and score 100 % too', async () => {
        const player = new Player(new Rookery(origin));
        const chosen = samples.filter((_, i) => i % 90 === 0);
        for (const sample of chosen) expect(await player.play(sample, 'obfuscated')).toBe(true);
        const [agents] = (await project.containers()).filter(({ service }) => service === 'agents');
        const predictions = await docker(
          'exec',
          agents?.id ?? '',
          ...['node', '/app/dist/services/main.js', 'predictions', '/runs/runs.sqlite'],
          ...['--agent', 'gold by obfuscated'],
        );
        expect(predictions).not.toContain('FUNC_');
        expect(await scoredOnHost(farm, predictions)).toBe(chosen.length);
      });

      test('the process for agents is killed under load: what it answered is recorded, and runs go on', async () => {
        const client = new Rookery(origin);
        const [agents] = (await project.containers()).filter(({ service }) => service === 'agents');
        const id = agents?.id ?? '';
        const slot = samples.filter(({ formulation }) => formulation === 'slot').slice(0, 8);
        const runs = await Promise.all(
          slot.map(({ sample_id }) => client.run({ sample_id, agent: 'persistent' })),
        );
        const answered = runs.map(() => 0);
        const refused = new Set<number>();
        let alive = true;
        const agent = async (run: Run, i: number) => {
          const start = run.task.start_tables[0]?.handle ?? '';
          while (alive) {
            const { status } = await run.call('truncate', { truncate_array: start, n: 1 });
            if (status === 200) answered[i] = (answered[i] ?? 0) + 1;
            else refused.add(status);
          }
        };
        const agentsAtWork = Promise.all(runs.map(agent));
        await setTimeout(1000);
        await docker('kill', '-s', 'KILL', id);
        await setTimeout(1000);
        alive = false;
        await agentsAtWork;
        // A call in progress may or may not have been carried out: 502. The others were not: 503.
        expect([...refused].filter((status) => status !== 502)).toEqual([503]);
        const down = await request(`${origin}/tasks`);
        expect(down.headers['retry-after']).toBe('1');
        expect(await down.body.json()).toMatchObject({ code: 'AGENTS_UNAVAILABLE' });
        const load = startLoad(origin, requestsOf(samples));
        await setTimeout(500);
        for (const [db, counts] of await load.stop()) expect([...counts.keys()], db).toEqual([200]);

        await docker('start', id);
        await project.healthy(8);
        await allReady(origin);
        const player = new Player(client);
        for (const [i, run] of runs.entries()) {
          const { trajectory } = await run.view();
          expect(answered[i]).toBeGreaterThan(0);
          expect(trajectory.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(
            answered[i] ?? 0,
          );
          expect(trajectory.map(({ n }) => n)).toEqual(trajectory.map((_, at) => at + 1));
          expect(await player.attempt(run, sampleOf(samples, run.task.sample_id), 'http')).toBe(true);
          expect(await run.view()).toMatchObject({ status: 'answered' });
        }
      });

      test('a service that crashes under load: 503s for it alone, and it comes back by itself', async () => {
        const load = startLoad(origin, requestsOf(samples));
        await setTimeout(1000);
        // Killed from within, as by a crash: a container killed by Docker is not restarted.
        const victims = (await project.containers()).filter(({ service }) => service === 'vet-clinics');
        await Promise.all(
          victims.map(({ id }) => docker('exec', id, 'sh', '-c', 'kill -KILL -1').catch(() => '')),
        );
        await setTimeout(1500);
        await project.healthy(8);
        await allReady(origin);
        load.reset();
        await setTimeout(1500);
        const recovered = await load.stop();
        expect(statuses(recovered, 'vet_clinics')).toEqual([200]);

        const again = startLoad(origin, requestsOf(samples));
        await setTimeout(500);
        const down = (await project.containers()).filter(({ service }) => service === 'vet-clinics');
        await docker('kill', ...down.map(({ id }) => id));
        await setTimeout(2500);
        const during = await again.stop();
        for (const db of ['energy_coop', 'river_freight']) expect(statuses(during, db), db).toEqual([200]);
        expect(statuses(during, 'vet_clinics')).toEqual([200, 503]);
        const refused = await request(`${origin}/v1/bundled/vet_clinics/x`);
        expect(refused.headers['retry-after']).toBe('1');
        expect(await refused.body.json()).toMatchObject({ code: 'DOMAIN_UNAVAILABLE', status: 503 });
        await docker('start', ...down.map(({ id }) => id));
        await project.healthy(8);
        await allReady(origin);
      });

      test('replicas are replaced under load without one failed request, and handles outlive them', async () => {
        const { path, body } = startOf(samples, 'river_freight');
        const made = await request(`${origin}${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        });
        const { handle, columns } = (await made.body.json()) as { handle: string; columns: string[] };
        const sorted = { data_source: handle, key_name: columns[0], ascending: true };
        const post = async (tool: string, args: object) => {
          const answer = await request(`${origin}/v1/bundled/river_freight/slot/${tool}`, {
            method: 'POST',
            body: JSON.stringify(args),
            headers: { 'content-type': 'application/json' },
          });
          expect(answer.statusCode).toBe(200);
          return (await answer.body.json()) as { handle: string };
        };
        const before = await post('sort_data', sorted);

        const load = startLoad(origin, requestsOf(samples), 3);
        const old = (await project.containers()).filter(({ service }) => service === 'river-freight');
        await project.compose(['up', '-d', '--no-recreate', '--scale', 'river-freight=4']);
        await project.healthy(10);
        // As long as the gateway may take to hear of the new ones.
        await setTimeout(1500);
        for (const { id } of old) {
          const began = Date.now();
          await docker('stop', id);
          expect(Date.now() - began).toBeLessThan(6000);
          expect(await docker('inspect', '-f', '{{.State.ExitCode}}', id)).toBe('0');
        }
        await setTimeout(1500);
        const seen = await load.stop();
        for (const [db, counts] of seen)
          expect([...counts.keys()], `${db} ${JSON.stringify([...counts])}`).toEqual([200]);
        const after = await post('truncate', { truncate_array: before.handle, n: 1 });
        expect(after.handle).toMatch(/_[0-9a-f]{12}$/);
        await docker('rm', ...old.map(({ id }) => id));
      });

      test('keys can be required', async () => {
        const asked = requestsOf(samples).get('vet_clinics') ?? [];
        const path = asked.find(({ body }) => body === undefined)?.path ?? '';
        await project.compose(['up', '-d', '--no-deps', 'gateway'], { ROOKERY_API_KEYS: 'one,two' });
        await expect
          .poll(() => statusOf(`${origin}/health/ready`), { timeout: 60_000, interval: 300 })
          .toBe(200);
        expect(await statusOf(`${origin}${path}`)).toBe(401);
        expect(await statusOf(`${origin}${path}`, { 'x-api-key': 'wrong' })).toBe(401);
        expect(await statusOf(`${origin}${path}`, { authorization: 'Bearer two' })).toBe(200);
        expect(await statusOf(`${origin}/tasks`)).toBe(401);
        const farm = new Rookery(origin, { apiKey: 'one' });
        await expect(farm.get('/tasks')).resolves.toMatchObject({ offset: 0 });
      });

      test('down leaves nothing', async () => {
        await project.compose(['down', '-v']);
        expect(await project.leftovers()).toBe('');
      });
    });

    test('some domains of a farm elsewhere, by profile and folder', async () => {
      const away = temporaryFolder('away');
      for (const file of ['docker-compose.yml', '.env']) {
        cpSync(join(await farmOf('bundled'), file), join(away, file));
      }
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const project = new ComposeProject(away, {
        ROOKERY_IMAGE: IMAGE,
        ROOKERY_PORT: String(port),
        ROOKERY_FARM: await farmOf('bundled'),
        COMPOSE_PROFILES: 'vet-clinics',
      });
      try {
        await project.compose(['up', '-d']);
        await project.healthy(3);
        const index = (await (await request(`${origin}/`)).body.json()) as { domains: { db: string }[] };
        expect(index.domains.map(({ db }) => db)).toEqual(['vet_clinics']);
        const { tasks } = await new Rookery(origin).get<{ tasks: ClientTask[] }>('/tasks?limit=1000');
        expect(new Set(tasks.map(({ db }) => db))).toEqual(new Set(['vet_clinics']));
        expect(existsSync(join(away, 'farm.json'))).toBe(false);
      } finally {
        await project.compose(['down', '-v']);
      }
      expect(await project.leftovers()).toBe('');
    });

    test('a farm generated again: what changed is made anew and served, and nothing else; nobody serves another’s', async () => {
      const folder = temporaryFolder('upgraded');
      const spec = join(folder, 'openapi', 'vet_clinics.rest.json');
      /** As `generate` writes it: a new folder in place of the old one. */
      const write = async (edit: (text: string) => string) => {
        rmSync(folder, { recursive: true });
        cpSync(await farmOf('bundled'), folder, { recursive: true });
        const text = edit(readFileSync(spec, 'utf8'));
        writeFileSync(spec, text);
        const path = join(folder, 'farm.json');
        const farm = JSON.parse(readFileSync(path, 'utf8')) as Farm;
        farm.files['openapi/vet_clinics.rest.json'] = createHash('sha256').update(text).digest('hex');
        writeFileSync(path, JSON.stringify(farm));
        for (const file of emitCompose(farm, { services: 2 })) {
          if ('content' in file) writeFileSync(join(folder, file.path), file.content);
        }
      };
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      await write((text) => text);
      const project = new ComposeProject(folder, { ROOKERY_IMAGE: IMAGE, ROOKERY_PORT: String(port) });
      const places = async () =>
        new Map((await project.containers()).map(({ service, id }) => [service, id]));
      try {
        await project.compose(['up', '-d']);
        await project.healthy(4);
        const before = await places();
        expect([...before.keys()].sort()).toEqual(['agents', 'domains-1', 'domains-2', 'gateway']);
        expect(await statusOf(`${origin}/openapi/energy_coop.rest.json`)).toBe(200);

        await write((text) => text.replace(/"info": ?\{/, '"info":{"x-new":true,'));
        const old = before.get('domains-2') ?? '';
        await docker('restart', old);
        await expect.poll(() => stderrOf(old), { timeout: 60_000 }).toContain('FARM_CHANGED');

        await project.compose(['up', '-d']);
        await project.healthy(4);
        const after = await places();
        const anew = [...after.keys()].filter((service) => after.get(service) !== before.get(service));
        expect(anew.sort()).toEqual(['domains-2', 'gateway']);
        const { body } = await request(`${origin}/openapi/vet_clinics.rest.json`);
        expect(await body.text()).toBe(readFileSync(spec, 'utf8'));
      } finally {
        await project.compose(['down', '-v']);
      }
      expect(await project.leftovers()).toBe('');
    });

    test('the image of a farm’s data for Kubernetes delivers to each pod its own, and has no gold', async () => {
      const farm = await farmOf('bundled');
      const { farm: described } = readFarm(farm);
      const dockerfile = emitKubernetes(described).find(({ path }) => path === 'kubernetes/Dockerfile');
      const folder = temporaryFolder('data-image');
      writeFileSync(
        join(folder, 'Dockerfile'),
        dockerfile && 'content' in dockerfile ? dockerfile.content : '',
      );
      const image = `${IMAGE}-farm-${process.pid}`;
      await docker(
        'build',
        '-f',
        join(folder, 'Dockerfile'),
        '--build-arg',
        `ROOKERY_IMAGE=${IMAGE}`,
        '-t',
        image,
        farm,
      );
      try {
        const pod = [
          'run',
          '--rm',
          '--read-only',
          '--cap-drop',
          'ALL',
          '--network',
          'none',
          '--user',
          '1000:1000',
        ];
        const deliver = (...args: string[]) =>
          docker(...pod, '--tmpfs', '/farm:mode=777', '--entrypoint', 'sh', image, '-c', args.join(' '));
        const run = 'node /app/dist/services/main.js deliver /data /farm';
        const files = 'find /farm /data -type f | sort';
        expect(await deliver(run, '--only', 'vet_clinics', '>/dev/null;', files, '| grep ^/farm')).toBe(
          [
            '/farm/databases/vet_clinics.sqlite',
            '/farm/farm.json',
            '/farm/openapi/vet_clinics.actions.json',
            '/farm/openapi/vet_clinics.query.json',
            '/farm/openapi/vet_clinics.records.json',
            '/farm/openapi/vet_clinics.rest.json',
            '/farm/openapi/vet_clinics.sel.json',
            '/farm/openapi/vet_clinics.slot.json',
            '/farm/services/vet_clinics.json',
          ].join('\n'),
        );
        const ofAgents = (await deliver(run, '--agents', '>/dev/null;', files, '| grep ^/farm')).split('\n');
        expect(ofAgents).toHaveLength(10);
        expect(ofAgents).toContain('/farm/tasks/vet_clinics.jsonl');
        expect(ofAgents.filter((path) => path.includes('/databases/'))).toEqual([]);
        expect(await deliver(run, '--gateway', '>/dev/null;', files, '| grep ^/farm')).toBe(
          '/farm/farm.json',
        );
        expect(await deliver(files)).not.toMatch(/eval|coverage/);
      } finally {
        await docker('rmi', image);
      }
    });

    test('the image alone serves the bundled farm', async () => {
      const port = await freePort();
      const id = await docker(
        'run',
        '-d',
        '--rm',
        '-p',
        `127.0.0.1:${port}:8080`,
        '--read-only',
        '--cap-drop',
        'ALL',
        IMAGE,
      );
      try {
        await expect
          .poll(() => statusOf(`http://127.0.0.1:${port}/health/ready`), { timeout: 60_000 })
          .toBe(200);
        const spec = await request(`http://127.0.0.1:${port}/openapi/vet_clinics.rest.json`);
        const emitted = join(await farmOfDomains(...SMALL_DOMAINS), 'openapi', 'vet_clinics.rest.json');
        expect(await spec.body.text()).toBe(readFileSync(emitted, 'utf8'));
      } finally {
        await docker('kill', id);
      }
    });

    test('one container serves a farm that is mounted as the page says: with keys, runs, and no gold', async () => {
      const page = readFileSync(join(packageRoot, 'docs', 'docker.md'), 'utf8');
      const [, command = ''] = /^```\n(docker run -d --name farm [^`]+)^```/m.exec(page) ?? [];
      const port = await freePort();
      const name = `rookery-test-one-${process.pid}`;
      const runs = `${name}-runs`;
      const asked = command
        .replace('--name farm', `--name ${name}`)
        .replace('127.0.0.1:8080:', `127.0.0.1:${port}:`)
        .replace('-v runs:', `-v ${runs}:`)
        .replace(/^ {2}rookery serve/m, `  ${IMAGE} serve`);
      const options = { cwd: await farmOf('bundled'), env: { ...process.env, ROOKERY_API_KEYS: 'secret' } };
      try {
        await promisify(execFile)('sh', ['-c', asked], options);
        const origin = `http://127.0.0.1:${port}`;
        await expect.poll(() => statusOf(`${origin}/health/ready`), { timeout: 60_000 }).toBe(200);
        expect(await statusOf(`${origin}/tasks`)).toBe(401);
        const farm = new Rookery(origin, { apiKey: 'secret' });
        const { tasks } = await farm.get<{ tasks: ClientTask[] }>('/tasks?limit=1000');
        expect(new Set(tasks.map(({ db }) => db)).size).toBe(3);
        const seen = await filesOf(name);
        expect(seen.filter((path) => path.startsWith('/farm/') && /eval|coverage/.test(path))).toEqual([]);
        expect(await docker('inspect', '-f', '{{.State.Health.Status}}', name)).toMatch(/healthy|starting/);
        await expect
          .poll(() => docker('inspect', '-f', '{{.State.Health.Status}}', name), { timeout: 60_000 })
          .toBe('healthy');
      } finally {
        await docker('rm', '-f', name).catch(() => '');
        await docker('volume', 'rm', runs).catch(() => '');
      }
    });
  },
);

/** A script for a container: prints the status of an address, or `none` when it cannot be reached. */
function fetching(url: string): string {
  return `fetch(${JSON.stringify(url)}, { signal: AbortSignal.timeout(2500) }).then((a) => a.status, () => 'none').then((status) => { console.log(status); process.exit(); })`;
}

/** What a container has written on its error stream. */
async function stderrOf(id: string): Promise<string> {
  return (await promisify(execFile)('docker', ['logs', id])).stderr;
}

function sampleOf(samples: readonly Sample[], id: string): Sample {
  const found = samples.find(({ sample_id }) => sample_id === id);
  if (!found) throw new Error(`the farm has no sample ${id}`);
  return found;
}

/** How many predictions `rookery score` finds in a file, once it has found all of them right, answers and calls. */
async function scoredOnHost(farm: string, predictions: string): Promise<number> {
  const folder = temporaryFolder('predictions');
  const file = join(folder, 'predictions.jsonl');
  const report = join(folder, 'report.json');
  writeFileSync(file, predictions);
  for (const judge of ['answer', 'calls']) {
    const command = ['--import', 'tsx', join(packageRoot, 'cli', 'main.ts'), 'score', farm, file];
    const options = [
      '--judge',
      judge,
      '--replay-all',
      '--all',
      '--fail-under',
      'completion_of_run=1',
      '--out',
      report,
    ];
    await promisify(execFile)(process.execPath, [...command, ...options], { cwd: packageRoot });
  }
  const { samples } = JSON.parse(readFileSync(report, 'utf8')) as { samples: { outcome: string }[] };
  return samples.filter(({ outcome }) => outcome === 'pass').length;
}

function inside(id: string, script: string): Promise<string> {
  return docker('exec', id, 'sh', '-c', script);
}

/** Every file that the container's user can see, except the kernel's. */
async function filesOf(id: string): Promise<string[]> {
  const places = "'(' -path /proc -o -path /sys -o -path /dev ')' -prune -o -type f -print";
  return (await inside(id, `find / ${places} 2>/dev/null || true`)).split('\n').filter((path) => path !== '');
}

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await request(url, { headers }).catch(() => null);
  await answer?.body.dump();
  return answer?.statusCode ?? -1;
}

async function allReady(origin: string): Promise<void> {
  for (const began = Date.now(); (await statusOf(`${origin}/health/ready`)) !== 200; await setTimeout(200)) {
    if (Date.now() - began > MINUTES) throw new Error(`${origin} is not ready`);
  }
}

function statuses(tally: Tally, db: string): number[] {
  return [...(tally.get(db)?.keys() ?? [])].sort((a, b) => a - b);
}

/** Some gold REST calls of each domain, and a tool call, which no gateway may answer from memory. */
function requestsOf(samples: readonly Sample[]): Map<string, LoadRequest[]> {
  const requests = new Map<string, LoadRequest[]>();
  for (const { dataset_name: db, formulation, output, flags } of samples) {
    const [call] = output;
    const of = requests.get(db) ?? [startOf(samples, db)];
    requests.set(db, of);
    if (formulation !== 'rest' || of.length > 12 || !call || flags.includes('slow')) continue;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.arguments)) {
      for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
    }
    of.push({ path: `${call.path}?${query}` }, startOf(samples, db));
  }
  return requests;
}

/** The call that makes the start table of a domain's first SLOT sample. */
function startOf(samples: readonly Sample[], db: string): LoadRequest {
  const sample = samples.find(
    ({ dataset_name, formulation }) => dataset_name === db && formulation === 'slot',
  );
  const [split] = sample?.sample_id.split('/') ?? [];
  const { additional_tables: _, ...definition } = sample?.initialization_step?.arguments ?? {};
  return { path: `/v1/${split}/${db}/slot/initialize_active_data`, body: definition };
}

import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { request } from 'undici';
import type { Sample } from '../contracts/sample.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { cloneDomains } from '../tests/support/clone-domains.ts';
import { docker, idleProcessor, memoryOf, Project } from './containers/engine.ts';
import { pathOf, replayRest } from './containers/replay.ts';
import { bundledFarm } from './farms.ts';
import { median } from './process.ts';

/**
 * `npm run bench:containers -- [--domains 144] [--services <n>] [--image rookery] [--compose "docker compose,docker-compose"]`:
 * a farm of many domains on a real engine, with each of the composes that are named: up, ready, replayed through the
 * gateway, at rest, under load on its readiness and metrics, upgraded in place, with one service killed, paused, out of
 * memory and its disk full, and down. The image must be there: `docker build -t rookery .`
 */
const { values } = parseArgs({
  options: {
    domains: { type: 'string', default: '144' },
    services: { type: 'string' },
    image: { type: 'string', default: 'rookery' },
    compose: { type: 'string', default: 'docker compose,docker-compose' },
    port: { type: 'string', default: '18080' },
  },
});
const ORIGIN = `http://127.0.0.1:${values.port}`;
const SIZE = {
  count: Number(values.domains),
  services: values.services ? Number(values.services) : undefined,
};
const CALLS = 300;
const CALLS_AT_ONCE = 4;
const LIMIT_MS = 300_000;
const REST_SECONDS = 30;
const LOAD_ROUNDS = 5;

const scratch = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
try {
  const bundled = await bundledFarm(join(scratch, 'bundled'));
  const farm = join(scratch, 'farm');
  const reports: Record<string, object> = {};
  for (const compose of values.compose.split(',')) {
    cloneDomains(bundled, farm, SIZE);
    reports[compose] = await measure(compose, farm);
  }
  const { domains } = readFarm(farm).farm;
  const report = {
    machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length },
    domains: domains.length,
    endpoints: domains.reduce((sum, domain) => sum + domain.endpoints, 0),
    ...reports,
  };
  const results = fileURLToPath(new URL('./results/', import.meta.url));
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'containers.json'), `${JSON.stringify(report, null, 2)}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measure(compose: string, folder: string): Promise<object> {
  const project = new Project(compose, folder, { ROOKERY_IMAGE: values.image, ROOKERY_PORT: values.port });
  const report: Record<string, unknown> = { load_average_before: loadavg()[0] };
  const tell = (name: string, figure: unknown) => {
    report[name] = figure;
    console.log(compose, name, JSON.stringify(figure));
  };
  try {
    tell('up_seconds', await secondsOf(() => project.compose('up', '-d', '--no-build')));
    tell('then_ready_seconds', await secondsOf(() => until('/health/ready', 200)));
    const containers = await project.containers();
    tell('containers', containers.length);
    tell('memory_mib', mebibytes(await memoryOf(containers)));
    const samples = readFarm(folder).samples.filter(({ formulation }) => formulation === 'rest');
    tell('replayed', await replayRest(ORIGIN, samples, CALLS_AT_ONCE));
    tell('memory_after_replay_mib', mebibytes(await memoryOf(containers)));
    tell('processor_at_rest', await idleProcessor(containers, REST_SECONDS));
    await underLoad(samples, tell);
    await upgrade(project, folder, tell);
    await mishaps(project, samples, tell);
    tell('replayed_at_the_end', await replayRest(ORIGIN, samples, CALLS_AT_ONCE));
  } finally {
    tell('down_seconds', await secondsOf(() => project.compose('down', '-v')));
  }
  tell('load_average_after', loadavg()[0]);
  return report;
}

type Tell = (name: string, figure: unknown) => void;

/** The same calls alone, and while another client requests readiness or metrics as fast as it can. */
async function underLoad(samples: readonly Sample[], tell: Tell): Promise<void> {
  const calls = Array.from(
    { length: CALLS },
    (_, i) => samples[Math.floor((i * samples.length) / CALLS)] as Sample,
  );
  const play = () => replayRest(ORIGIN, calls, CALLS_AT_ONCE);
  for (const path of ['/health/ready', '/metrics']) {
    // In turn, so that whatever else the machine does hits both.
    const p99 = { quiet: [] as number[], busy: [] as number[] };
    const wrong: object[] = [];
    let asked = 0;
    for (let round = 0; round < LOAD_ROUNDS; round++) {
      const quiet = await play();
      const load = startLoad(`${ORIGIN}${path}`);
      await setTimeout(1000);
      const busy = await play();
      asked += (await load.stop()).requests.total;
      p99.quiet.push(quiet.p99);
      p99.busy.push(busy.p99);
      wrong.push(...[quiet.wrong, busy.wrong].filter((each) => Object.keys(each).length > 0));
    }
    const ratio = Number((median(p99.busy) / median(p99.quiet)).toFixed(2));
    tell(`calls_beside_load_on_${path}`, { p99, ratio_of_medians: ratio, asked, wrong });
  }
}

/** Twenty connections that send requests without a pause. */
function startLoad(url: string): { stop(): Promise<autocannon.Result> } {
  let instance: autocannon.Instance | undefined;
  const result = new Promise<autocannon.Result>((resolve, reject) => {
    const options = { url, connections: 20, duration: LIMIT_MS / 1000 };
    instance = autocannon(options, (error, all) => (error ? reject(error) : resolve(all)));
  });
  return {
    stop() {
      instance?.stop?.();
      return result;
    },
  };
}

/** After one specification has changed: which containers are recreated, and whether the change is served afterwards. */
async function upgrade(project: Project, folder: string, tell: Tell): Promise<void> {
  const { domains } = readFarm(folder).farm;
  const { db } = domains[domains.length >> 1] as (typeof domains)[number];
  const path = `openapi/${db}.rest.json`;
  const before = new Map((await project.containers()).map(({ service, id }) => [service, id]));
  // As when a farm is generated again: another folder takes the place of the first.
  const edit = (file: string, text: string) =>
    file === path ? text.replace('"info": {', '"info": {"x-new": true,') : text;
  cloneDomains(join(scratch, 'bundled'), `${folder}-next`, { ...SIZE, edit });
  rmSync(folder, { recursive: true });
  renameSync(`${folder}-next`, folder);
  tell(
    'upgrade_seconds',
    await secondsOf(() => project.compose('up', '-d', '--no-build', '--remove-orphans')),
  );
  tell('upgrade_then_ready_seconds', await secondsOf(() => until('/health/ready', 200)));
  const after = await project.containers();
  const anew = after.filter(({ service, id }) => before.get(service) !== id).map(({ service }) => service);
  const { body } = await request(`${ORIGIN}/${path}`);
  const isServed = (await body.text()) === readFileSync(join(folder, path), 'utf8');
  tell('upgraded', { made_anew: anew.sort(), new_farm_is_served: isServed });
}

/** Disturbs one service, and counts the answers of its domains and of all others during and after that. */
async function mishaps(project: Project, samples: readonly Sample[], tell: Tell): Promise<void> {
  const service =
    (await project.containers())
      .map((each) => each.service)
      .filter((name) => name !== 'gateway' && name !== 'agents')
      .sort()
      .at(-1) ?? '';
  const id = await project.container(service);
  const args = JSON.parse(await docker('inspect', '-f', '{{json .Config.Cmd}}', id)) as string[];
  const dbs = args.flatMap((arg) => (arg.startsWith('--only=') ? [arg.slice('--only='.length)] : []));
  const own = samples.filter(({ dataset_name }) => dbs.includes(dataset_name)).slice(0, 50);
  const others = samples.filter(({ dataset_name }) => !dbs.includes(dataset_name)).slice(0, CALLS);
  const path = pathOf(own[0] as Sample);
  const aside = async (name: string, mishap: () => Promise<object>) => {
    const [outcome, rest] = await Promise.all([mishap(), replayRest(ORIGIN, others, CALLS_AT_ONCE)]);
    tell(name, { service, ...outcome, others_wrong: rest.wrong, others_p99: rest.p99 });
  };
  const back = async () => ({ back_after_seconds: await secondsOf(() => until(path, 200)) });

  await aside('killed', async () => {
    await docker('exec', id, 'sh', '-c', 'kill -9 -1');
    return back();
  });
  await aside('paused', async () => {
    await docker('pause', id);
    const seen = await secondsOf(() => until('/health/ready', 503));
    await docker('unpause', id);
    return { readiness_says_so_after_seconds: seen, ...(await back()) };
  });
  await aside('out_of_memory', async () => {
    // Shows that the kernel kills the service itself.
    const pids = (await docker('top', id, '-eo', 'pid,args'))
      .split('\n')
      .filter((line) => line.includes('main.js serve'));
    for (const line of pids) writeFileSync(`/proc/${line.trim().split(/\s+/)[0]}/oom_score_adj`, '1000');
    const started = await docker('inspect', '-f', '{{.RestartCount}}', id);
    const fill = 'const all = []; for (;;) all.push(Buffer.alloc(1 << 20, 1));';
    await docker('exec', id, 'node', '-e', fill).catch(() => '');
    const times = await back();
    const restarts = Number(await docker('inspect', '-f', '{{.RestartCount}}', id)) - Number(started);
    return { ...times, restarts };
  });
  await aside('disk_full', async () => {
    await docker('exec', id, 'sh', '-c', 'head -c 200m /dev/zero > /tmp/fill || true');
    const meanwhile = await replayRest(ORIGIN, own, 2);
    await docker('exec', id, 'rm', '/tmp/fill');
    return { its_calls: meanwhile.calls, its_wrong: meanwhile.wrong };
  });
  tell('ready_again_after_seconds', await secondsOf(() => until('/health/ready', 200)));
}

async function until(path: string, status: number): Promise<void> {
  for (const began = performance.now(); ; await setTimeout(200)) {
    const seen = await request(`${ORIGIN}${path}`, { headersTimeout: 5000 }).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      },
      () => -1,
    );
    if (seen === status) return;
    if (performance.now() - began > LIMIT_MS) throw new Error(`${path} answers ${seen}, not ${status}`);
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Number(((performance.now() - began) / 1000).toFixed(1));
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { farmOfDomains } from '../generator/write/testing/farm-of-domains.ts';
import { partHash, servedFiles, servicePlaces } from '../services/base/farm.ts';
import { composeFile, emitBundledCompose, emitCompose } from './deploy.ts';

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { internal?: boolean }>>;
}
interface Service {
  readonly command: readonly string[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly volumes: readonly { type: string; source: string; target: string; read_only?: boolean }[];
  readonly [key: string]: unknown;
}

const read = (text: string) => parse(text, { merge: true }) as ComposeFile;
const textOf = (files: ReturnType<typeof emitCompose>, path: string) => {
  const file = files.find((each) => each.path === path);
  return file && 'content' in file ? String(file.content) : '';
};

const onlyOf = (command: readonly string[]) =>
  command.flatMap((argument) => (argument.startsWith('--only=') ? [argument.slice('--only='.length)] : []));

const DBS = ['california_schools', 'Odd "na$me"'];
const files = emitCompose(farmOfDomains(DBS));
const compose = read(textOf(files, 'docker-compose.yml'));
const bundled = read(emitBundledCompose(DOMAIN_NAMES));

test('a second file publishes the harness port, on loopback only', () => {
  const { services } = read(textOf(files, 'docker-compose.harness.yml'));
  expect(services).toEqual({ gateway: { ports: ['127.0.0.1:${ROOKERY_HARNESS_PORT:-8081}:8081'] } });
});

describe('the compose file of a farm', () => {
  test('has a gateway, one agents process, and one service per domain, which serves only that domain', () => {
    expect(Object.keys(compose.services)).toEqual(['gateway', 'agents', 'california-schools', 'odd-na-me']);
    expect(compose.services['california-schools']?.command.slice(0, 3)).toEqual([
      'serve',
      '/farm',
      '--only=california_schools',
    ]);
    // Doubled for Compose, which turns two dollars into one.
    expect(compose.services['odd-na-me']?.command).toContain('--only=Odd "na$$me"');
  });

  test('a service sees only its own files, read-only, and nothing of eval', () => {
    const { volumes } = compose.services['california-schools'] as Service;
    expect(volumes.map(({ target }) => target)).toEqual([
      '/farm/farm.json',
      '/farm/services/california_schools.json',
      '/farm/databases/california_schools.sqlite',
      '/farm/openapi/california_schools.rest.json',
      '/farm/openapi/california_schools.slot.json',
      '/farm/openapi/california_schools.sel.json',
      '/farm/openapi/california_schools.query.json',
      '/farm/openapi/california_schools.records.json',
      '/farm/openapi/california_schools.actions.json',
    ]);
    for (const service of Object.values(compose.services)) {
      for (const { type, read_only, source } of service.volumes.filter(({ target }) => target !== '/runs')) {
        expect({ type, read_only }).toEqual({ type: 'bind', read_only: true });
        expect(source).toMatch(/^\$\{ROOKERY_FARM:-\.\}\//);
        expect(source).not.toContain('eval');
      }
    }
  });

  test('the agents process sees tasks and descriptions of all domains, no data, and writes runs', () => {
    const { volumes } = compose.services.agents as Service;
    expect(volumes.map(({ target }) => target)).toEqual([
      '/farm/farm.json',
      '/farm/services',
      '/farm/tasks',
      '/runs',
    ]);
    expect(compose.services.gateway?.volumes.map(({ target }) => target)).toEqual(['/farm/farm.json']);
  });

  test('profiles select domains, and .env selects all', () => {
    expect(compose.services['california-schools']?.profiles).toEqual(['all', 'california-schools']);
    expect(compose.services.gateway?.profiles).toBeUndefined();
    expect(compose.services.agents?.profiles).toBeUndefined();
    for (const name of ['gateway', 'agents']) {
      expect(compose.services[name]?.environment).toMatchObject({
        ROOKERY_DOMAINS: `\${COMPOSE_PROFILES:-}`,
      });
    }
    expect(textOf(files, '.env')).toMatch(/^COMPOSE_PROFILES=all$/m);
  });

  test('health checks run about twice a second, for any number of domains', () => {
    const intervalOf = (domains: number) => {
      const many = emitCompose(farmOfDomains(Array.from({ length: domains }, (_, i) => `db_${i}`)), {
        services: domains,
      });
      expect(textOf(many, '.env')).toContain('ROOKERY_HEALTH_INTERVAL=');
      return /interval: (.*)$/m.exec(textOf(many, 'docker-compose.yml'))?.[1];
    };
    expect(intervalOf(2)).toBe(`\${ROOKERY_HEALTH_INTERVAL:-5s}`);
    expect(intervalOf(80)).toBe(`\${ROOKERY_HEALTH_INTERVAL:-40s}`);
  });

  test('only some domains', () => {
    const some = read(
      textOf(emitCompose(farmOfDomains(DBS), { only: ['california_schools'] }), 'docker-compose.yml'),
    );
    expect(Object.keys(some.services)).toEqual(['gateway', 'agents', 'california-schools']);
    for (const name of ['gateway', 'agents']) {
      expect(some.services[name]?.command).toContain('--only=california_schools');
    }
    expect(some.services.agents?.volumes.map(({ target }) => target)).toEqual([
      '/farm/farm.json',
      '/farm/services/california_schools.json',
      '/farm/tasks/california_schools.jsonl',
      '/runs',
    ]);
  });

  test('many domains share a few services, which the gateway and the agents process can locate', () => {
    const dbs = Array.from({ length: 144 }, (_, i) => `db_${i}`);
    const many = read(textOf(emitCompose(farmOfDomains(dbs)), 'docker-compose.yml'));
    const { gateway, agents, ...services } = many.services;
    expect(Object.keys(services)).toHaveLength(24);
    expect(Object.keys(services).slice(0, 2)).toEqual(['domains-01', 'domains-02']);
    const served = Object.values(services).flatMap(({ command }) => onlyOf(command));
    expect(served).toEqual(dbs);
    for (const process of [gateway, agents]) {
      expect(process?.command.join(' ')).toContain('--services 24');
      expect(onlyOf(process?.command ?? [])).toEqual([]);
    }
    const places = servicePlaces(farmOfDomains(dbs), { services: 24, servicesAt: 'http://{service}:8080' });
    for (const [name, { command }] of Object.entries(services)) {
      for (const db of onlyOf(command)) expect(String(places.get(db))).toBe(`http://${name}:8080/`);
    }
    const three = read(textOf(emitCompose(farmOfDomains(dbs), { services: 3 }), 'docker-compose.yml'));
    expect(Object.keys(three.services)).toEqual(['gateway', 'agents', 'domains-1', 'domains-2', 'domains-3']);
  });

  test('the definition of a container changes with its own files only', () => {
    const farm = farmOfDomains(['a', 'b']);
    const commands = (changed: string) => {
      const files = { ...farm.files, [changed]: '1'.repeat(64) };
      const { services } = read(textOf(emitCompose({ ...farm, files }), 'docker-compose.yml'));
      return Object.fromEntries(
        Object.entries(services).map(([name, { command }]) => [name, command.join(' ')]),
      );
    };
    const before = commands('');
    const changedBy = (path: string) => {
      const after = commands(path);
      return Object.keys(before).filter((name) => after[name] !== before[name]);
    };
    expect(changedBy('databases/a.sqlite')).toEqual(['gateway', 'a']);
    expect(changedBy('openapi/b.rest.json')).toEqual(['gateway', 'b']);
    expect(changedBy('services/a.json')).toEqual(['gateway', 'agents', 'a']);
    expect(changedBy('tasks/a.jsonl')).toEqual(['agents']);
    expect(changedBy('eval/a.jsonl')).toEqual([]);
    expect(commands('').a).toContain(
      `--expect ${partHash({ ...farm, files: { ...farm.files, '': '' } }, servedFiles('a'))}`,
    );
  });
});

describe.each([
  ['a farm', compose],
  ['the bundled farm', bundled],
])('the containers of %s', (_name, { services, networks }) => {
  test('every process is sandboxed', () => {
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({
        user: 'node',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        pids_limit: expect.any(Number),
        mem_limit: expect.any(String),
      });
    }
  });

  test('only the single agents process can write, and only runs', () => {
    for (const [name, { volumes, scale, command }] of Object.entries(services)) {
      const writable = volumes.filter(({ read_only }) => !read_only);
      if (name === 'agents') {
        expect(writable).toEqual([{ type: 'volume', source: 'runs', target: '/runs' }]);
        expect(scale).toBeUndefined();
        expect(command.slice(0, 4)).toEqual(['agents', '/farm', '--runs', '/runs/runs.sqlite']);
      } else if (name !== 'farm') expect(writable).toEqual([]);
    }
    expect(services.gateway?.command.slice(0, 4)).toEqual([
      'gateway',
      '/farm',
      '--agents-at',
      'http://agents:8080',
    ]);
  });

  test('gateway and agents get the exam mode, and an unpublished port for the harness', () => {
    for (const name of ['gateway', 'agents']) {
      const { command, environment, ports = [] } = services[name] as Service & { environment: object };
      expect(environment).toMatchObject({ ROOKERY_EXAM: '${ROOKERY_EXAM:-}' });
      expect(command.join(' ')).toContain('--harness-port 8081');
      expect(ports.join(' ')).not.toContain('8081');
    }
    expect(services.gateway?.command.join(' ')).toContain('--agents-harness-at http://agents:8081');
  });

  test('only the gateway is reachable from outside, on loopback, and services have no outbound access', () => {
    expect(networks.inside?.internal).toBe(true);
    for (const [name, service] of Object.entries(services)) {
      if (name === 'gateway') {
        expect(service.ports).toEqual([`\${ROOKERY_ADDRESS:-127.0.0.1}:\${ROOKERY_PORT:-8080}:8080`]);
      } else {
        expect(service.ports).toBeUndefined();
        expect(service.networks ?? [service.network_mode]).toEqual([name === 'farm' ? 'none' : 'inside']);
      }
    }
  });
});

/** Interpolates like Compose: `$$` is a dollar, and any other dollar starts a variable. */
function interpolate(text: string): string {
  return text.replace(/\$(\$?)/g, (_, second: string) => {
    if (second === '') throw new Error('a variable');
    return '$';
  });
}

test.each(['true', '1.0', 'null', 'no', '- a', 'a: b', '# note', '', '${HOME}', '$$', '8080:80', '<<'])(
  'Compose reads the name %j back',
  (given) => {
    const { services } = read(textOf(emitCompose(farmOfDomains(['other', given])), 'docker-compose.yml'));
    const all = Object.values(services).flatMap(({ command }) => onlyOf(command));
    expect(all.map(interpolate)).toEqual(['other', given]);
  },
);

test('Compose reads back any name, dollars and quotes included', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[$"'\\{}#:\n -]{0,12}$/));
  fc.assert(
    fc.property(text, (given) => {
      const image = 'needed' as const;
      const process = { mounts: [{ type: 'bind' as const, source: given, target: `/farm/${given}` }] };
      const service = { name: 'one', dbs: [given], ...process };
      const file = composeFile({ title: 'x', image, gateway: process, agents: process, services: [service] });
      const { command, volumes } = read(file).services.one as Service;
      expect(onlyOf(command).map(interpolate)).toEqual([given]);
      expect(interpolate(volumes[0]?.target ?? '')).toBe(`/farm/${given}`);
    }),
    { numRuns: 50 },
  );
});

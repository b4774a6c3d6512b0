import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { generators } from '../../../databases/write-split.ts';
import { farmOfDomains } from '../testing/farm-of-domains.ts';
import { emitBundledCompose } from './emit-bundled-compose.ts';
import { emitCompose } from './emit-compose.ts';

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

const DBS = ['california_schools', 'Odd "na$me"'];
const files = emitCompose(farmOfDomains(DBS));
const compose = read(textOf(files, 'docker-compose.yml'));
const bundled = read(emitBundledCompose(Object.keys(generators)));

describe('the compose file of a farm', () => {
  test('has a gateway, one process for agents, and one service a domain, which serves that domain only', () => {
    expect(Object.keys(compose.services)).toEqual(['gateway', 'agents', 'california-schools', 'odd-na-me']);
    expect(compose.services['california-schools']?.command).toEqual([
      'serve',
      '/farm',
      '--only',
      'california_schools',
    ]);
    // A dollar is doubled for Compose, which makes one of it.
    expect(compose.services['odd-na-me']?.command.at(-1)).toBe('Odd "na$$me"');
  });

  test('a service sees its own files, read-only, and nothing of eval', () => {
    const { volumes } = compose.services['california-schools'] as Service;
    expect(volumes.map(({ target }) => target)).toEqual([
      '/farm/farm.json',
      '/farm/services/california_schools.json',
      '/farm/databases/california_schools.sqlite',
      '/farm/openapi/california_schools.rest.json',
      '/farm/openapi/california_schools.slot.json',
      '/farm/openapi/california_schools.sel.json',
    ]);
    for (const service of Object.values(compose.services)) {
      for (const { type, read_only, source } of service.volumes.filter(({ target }) => target !== '/runs')) {
        expect({ type, read_only }).toEqual({ type: 'bind', read_only: true });
        expect(source).toMatch(/^\$\{ROOKERY_FARM:-\.\}\//);
        expect(source).not.toContain('eval');
      }
    }
  });

  test('the process for agents sees tasks and descriptions of all domains, no data, and writes runs', () => {
    const { volumes } = compose.services.agents as Service;
    expect(volumes.map(({ target }) => target)).toEqual([
      '/farm/farm.json',
      '/farm/services/california_schools.json',
      '/farm/tasks/california_schools.jsonl',
      '/farm/services/Odd "na$$me".json',
      '/farm/tasks/Odd "na$$me".jsonl',
      '/runs',
    ]);
    expect(compose.services.gateway?.volumes.map(({ target }) => target)).toEqual(['/farm/farm.json']);
  });

  test('domains can be chosen by profile, and .env chooses all', () => {
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

  test('however many domains there are, their health is asked for about twice a second', () => {
    const intervalOf = (domains: number) => {
      const many = emitCompose(farmOfDomains(Array.from({ length: domains }, (_, i) => `db_${i}`)));
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
      expect(some.services[name]?.command.slice(-2)).toEqual(['--only', 'california_schools']);
    }
    expect(JSON.stringify(some.services.agents?.volumes)).not.toContain('Odd');
  });
});

describe.each([
  ['a farm', compose],
  ['the bundled farm', bundled],
])('of %s', (_name, { services, networks }) => {
  test('every process is locked up', () => {
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

  test('only the process for agents can write, nothing but runs, and there is one of it', () => {
    for (const [name, { volumes, scale, command }] of Object.entries(services)) {
      const writable = volumes.filter(({ read_only }) => !read_only);
      if (name === 'agents') {
        expect(writable).toEqual([{ type: 'volume', source: 'runs', target: '/runs' }]);
        expect(scale).toBeUndefined();
        expect(command.slice(0, 4)).toEqual(['agents', '/farm', '--runs', '/runs/runs.sqlite']);
      } else if (name !== 'farm') expect(writable).toEqual([]);
    }
    expect(services.gateway?.command).toEqual(['gateway', '/farm', '--agents-at', 'http://agents:8080']);
  });

  test('only the gateway has a way in from outside, on loopback, and the services none out', () => {
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

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { packageRoot } from '../../contracts/package-root.ts';
import { farmOfDomains } from '../../generator/write/testing/farm-of-domains.ts';
import type { FarmFile } from '../../generator/write/write-folder.ts';
import { installTools } from '../../tests/interop/install-tools.ts';
import { temporaryFolder } from '../../tests/support/split-fixture.ts';
import { emitKubernetes } from './emit-kubernetes.ts';

const FARM = farmOfDomains(['california_schools', 'Odd $(name)']);

const INSTALLED = join(packageRoot, 'tests', 'installed', 'kubernetes');
const tools = await installTools(INSTALLED);

/** The packages of the published schemas, by kind. */
const KINDS: Readonly<Record<string, string>> = {
  Namespace: 'kubernetes-models/v1',
  Service: 'kubernetes-models/v1',
  PersistentVolumeClaim: 'kubernetes-models/v1',
  Deployment: 'kubernetes-models/apps/v1',
  HorizontalPodAutoscaler: 'kubernetes-models/autoscaling/v2',
  PodDisruptionBudget: 'kubernetes-models/policy/v1',
  NetworkPolicy: 'kubernetes-models/networking.k8s.io/v1',
  ServiceMonitor: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  PrometheusRule: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  HTTPRoute: '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
  Ingress: 'kubernetes-models/networking.k8s.io/v1',
};

/** Throws where a required field, a type or a format is not as published. */
function validate(resource: Manifest): void {
  const models = tools.load(KINDS[resource.kind] ?? '');
  new models[resource.kind](resource).validate();
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

function textOf(file: FarmFile): string {
  return 'content' in file ? String(file.content) : '';
}

/** Every Kubernetes resource among the files, parsed as by a cluster. */
function manifests(files: readonly FarmFile[]): Manifest[] {
  return files
    .filter(({ path }) => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
    .flatMap((file) => parseAllDocuments(textOf(file)).map((document) => document.toJS() as Manifest));
}

/** TypeScript's errors for manifests as values of the published types, which find unknown fields. */
function unknownFields(resources: readonly Manifest[]): string {
  const folder = join(INSTALLED, 'node_modules', `.manifests-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = resources.map(
    (resource, i) =>
      `export const m${i}: import('${KINDS[resource.kind]}').I${resource.kind} = ${JSON.stringify(resource)};`,
  );
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      files: ['manifests.ts'],
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: 'nodenext',
        target: 'es2023',
        types: [],
      },
    }),
  );
  try {
    execFileSync(process.execPath, [join(packageRoot, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    });
    return '';
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
}

describe('manifests', () => {
  const resources = manifests(emitKubernetes(FARM));

  const published = test.skipIf(tools.missing !== null);

  published(tools.title('every resource is valid by the published schema of its kind'), () => {
    expect(new Set(resources.map(({ kind }) => kind))).toEqual(new Set(Object.keys(KINDS)));
    for (const resource of resources)
      expect(() => validate(resource), `${resource.kind} ${resource.metadata.name}`).not.toThrow();
    expect(unknownFields(resources)).toBe('');
  });

  published(tools.title('the check detects a missing field, a wrong type and an unknown field'), () => {
    const deployment = resources.find(({ kind }) => kind === 'Deployment') as Manifest;
    const change = (edit: (copy: Record<string, never>) => void) => {
      const copy = structuredClone(deployment) as never;
      edit(copy);
      return copy as Manifest;
    };
    const without = change((copy) => Reflect.deleteProperty(copy.spec ?? {}, 'selector'));
    expect(() => validate(without)).toThrow(/selector/);
    const wrong = change((copy) => Reflect.set(copy.spec ?? {}, 'revisionHistoryLimit', 'three'));
    expect(() => validate(wrong)).toThrow(/revisionHistoryLimit/);
    const unknown = change((copy) => Reflect.set(copy.spec ?? {}, 'replicaz', 3));
    expect(unknownFields([unknown])).toContain('replicaz');
  });

  test('names are unique by kind, and every service has autoscaling and a disruption budget', () => {
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const name of ['gateway', 'california-schools', 'odd-name']) {
      for (const kind of ['Deployment', 'Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget']) {
        expect(names).toContain(`${kind} ${name}`);
      }
    }
    expect(names).toContain('NetworkPolicy odd-name');
  });

  test('there is one agents process, with a volume for runs, and never two', () => {
    const of = (kind: string, name: string) =>
      resources.find((each) => each.kind === kind && each.metadata.name === name) as never as {
        spec: Record<string, never>;
      };
    const { spec } = of('Deployment', 'agents') as never as {
      spec: { template: { spec: { containers: { args: string[]; volumeMounts: object[] }[] } } };
    };
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    const [container] = spec.template.spec.containers;
    expect(container?.args.slice(0, 4)).toEqual(['agents', '/farm', '--runs', '/runs/runs.sqlite']);
    expect(container?.volumeMounts).toContainEqual({ name: 'runs', mountPath: '/runs' });
    expect(spec.template.spec).toMatchObject({
      volumes: expect.arrayContaining([{ name: 'runs', persistentVolumeClaim: { claimName: 'runs' } }]),
      initContainers: [{ args: ['deliver', '/data', '/farm', '--agents'] }],
    });
    expect(of('PersistentVolumeClaim', 'runs').spec).toMatchObject({ accessModes: ['ReadWriteOnce'] });
    expect(of('HorizontalPodAutoscaler', 'agents')).toBeUndefined();
    const gateway = of('Deployment', 'gateway') as never as typeof container & object;
    expect(JSON.stringify(gateway)).toContain('"--agents-at","http://agents:8080"');
  });

  test('the gateway may call the agents process, both may call services, and nothing else may', () => {
    const components = (policies: unknown) =>
      [...JSON.stringify(policies ?? []).matchAll(/component":"(\w+)"/g)].map(([, name]) => name);
    const policies = resources.filter(({ kind }) => kind === 'NetworkPolicy') as never as {
      metadata: { name: string };
      spec: { ingress?: object[]; egress?: object[] };
    }[];
    const rules = Object.fromEntries(
      policies.map(({ metadata, spec }) => [
        metadata.name,
        { from: components(spec.ingress), to: components(spec.egress) },
      ]),
    );
    expect(rules).toMatchObject({
      'rookery-gateway': { from: [], to: ['service', 'agents'] },
      'rookery-agents': { from: ['gateway'], to: ['service'] },
      'rookery-services': { from: ['gateway', 'agents'], to: [] },
    });
  });

  test('only the gateway may reach the harness port of the agents process, and nothing that of the gateway', () => {
    const policies = new Map(
      resources
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map((each) => [each.metadata.name, JSON.stringify((each as never as { spec: object }).spec)]),
    );
    expect(policies.get('rookery-gateway')).toContain(
      '"ingress":[{"ports":[{"protocol":"TCP","port":"http"}]}]',
    );
    expect(policies.get('rookery-agents')).toMatch(
      /"ingress":\[\{"from":\[[^\]]*\],"ports":\[[^\]]*"harness"/,
    );
    expect(policies.get('rookery-services')).not.toContain('harness');
    const text = JSON.stringify(resources);
    expect(text.match(/"name":"ROOKERY_EXAM","valueFrom":\{"configMapKeyRef"/g)).toHaveLength(2);
    expect(text.match(/"name":"harness","containerPort":8081/g)).toHaveLength(2);
  });

  test('every container is sandboxed', () => {
    for (const { spec } of resources.filter(({ kind }) => kind === 'Deployment') as never as {
      spec: { template: { spec: { containers: object[]; initContainers: object[] } } };
    }[]) {
      const pod = spec.template.spec;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
      });
      for (const container of [...pod.containers, ...pod.initContainers]) {
        expect(container).toMatchObject({
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
          resources: { limits: { memory: expect.any(String) } },
        });
      }
    }
  });

  test('a name that looks like a variable is not expanded', () => {
    const { spec } = resources.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'odd-name',
    ) as never as { spec: { template: { spec: Record<string, { args: string[] }[]> } } };
    const { containers, initContainers } = spec.template.spec;
    for (const list of [containers, initContainers]) expect(list?.[0]?.args).toContain('--only=Odd $$(name)');
  });

  test('many domains share a few services, with few other objects', () => {
    const dbs = Array.from({ length: 144 }, (_, i) => `db_${i}`);
    const files = emitKubernetes(farmOfDomains(dbs));
    const base = manifests(files.filter(({ path }) => !path.includes('/components/')));
    expect(base.filter(({ kind }) => kind === 'Deployment')).toHaveLength(26);
    expect(base.length).toBeLessThan(90);
    const requested = (
      JSON.stringify(base).match(
        /"cpu":"(\d+)m","memory":"\d+Mi"\},"limits":\{"memory":"\d+Mi"\}\},"startup/g,
      ) ?? []
    ).map((text) => Number(/\d+/.exec(text)?.[0]));
    expect(requested).toHaveLength(26);
    expect(requested.reduce((sum, cpu) => sum + cpu, 0)).toBeLessThan(2000);
    for (const name of ['gateway', 'agents']) {
      const process = base.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
      expect(JSON.stringify(process)).toContain('"--services","24"');
    }
  });

  test('only some domains', () => {
    const some = manifests(emitKubernetes(FARM, { only: ['california_schools'] }));
    expect(some.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name)).toEqual([
      'gateway',
      'agents',
      'california-schools',
    ]);
    for (const { kind, ...rest } of some.filter(({ metadata }) => /gateway|agents/.test(metadata.name))) {
      if (kind === 'Deployment') expect(JSON.stringify(rest)).toContain('"--only=california_schools"');
    }
  });

  test('the data image excludes eval', () => {
    const dockerfile = emitKubernetes(FARM).find(({ path }) => path === 'kubernetes/Dockerfile');
    const copied = [...textOf(dockerfile as FarmFile).matchAll(/^COPY (\S+)/gm)].map(([, source]) => source);
    expect(copied).toEqual(['farm.json', 'databases', 'services', 'openapi', 'tasks']);
  });
});

const kubectl = (() => {
  try {
    execFileSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!kubectl || tools.missing !== null)(tools.title('kustomize'), () => {
  function build(components: string): Manifest[] {
    const folder = temporaryFolder('farm');
    for (const file of emitKubernetes(FARM)) {
      const path = join(folder, file.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, textOf(file).replace('components: []', `components: ${components}`));
    }
    const text = execFileSync('kubectl', ['kustomize', join(folder, 'kubernetes')], { encoding: 'utf8' });
    return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  }

  test('builds the manifests, with the given image names', () => {
    const built = build('[]');
    const base = emitKubernetes(FARM).filter(({ path }) => !path.includes('/components/'));
    expect(built).toHaveLength(manifests(base).length);
    expect(built.map(({ kind }) => kind)).not.toContain('HorizontalPodAutoscaler');
    const images = JSON.stringify(built).match(/"image":"[^"]+"/g);
    expect(new Set(images)).toEqual(
      new Set(['"image":"rookery:latest"', expect.stringMatching(/^"image":"rookery-farm:[0-9a-f]{12}"$/)]),
    );
  });

  test('builds the components: an ingress, autoscaling, monitoring, and a volume folder for each pod', () => {
    const built = build(
      '[components/ingress, components/autoscaling, components/monitoring, components/data-volume]',
    );
    const kinds = built.map(({ kind }) => kind);
    for (const kind of [
      'Ingress',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
      'ServiceMonitor',
      'PrometheusRule',
      'ConfigMap',
    ]) {
      expect(kinds).toContain(kind);
    }
    const deployments = built.filter(({ kind }) => kind === 'Deployment');
    expect(deployments).toHaveLength(4);
    for (const deployment of deployments) {
      expect(() => validate(deployment)).not.toThrow();
      const text = JSON.stringify(deployment);
      expect(text).not.toContain('initContainers');
      expect(text).toContain('"persistentVolumeClaim":{"claimName":"rookery-farm","readOnly":true}');
      expect(text).toContain('"subPathExpr":"$(ROOKERY_SERVICE)"');
    }
  });

  test('builds routes of the Gateway API, to our gateway or, without it, to each domain', () => {
    const kept = build('[components/gateway-api]');
    expect(kept.find(({ kind }) => kind === 'HTTPRoute')).toMatchObject({
      metadata: { name: 'gateway' },
      spec: { rules: [{ backendRefs: [{ name: 'gateway', port: 80 }] }] },
    });

    const direct = build('[components/gateway-api-direct]');
    const text = JSON.stringify(direct.filter(({ kind }) => kind !== 'Namespace'));
    expect(direct.filter(({ metadata }) => /^(rookery-)?gateway$/.test(metadata.name))).toEqual([]);
    const services = new Map(
      direct.filter(({ kind }) => kind === 'Service').map((each) => [each.metadata.name, each as never]),
    );
    const routes = direct.filter(({ kind }) => kind === 'HTTPRoute') as never as {
      metadata: { name: string };
      spec: {
        rules: { matches: { path: { value: string } }[]; backendRefs: { name: string; port: number }[] }[];
      };
    }[];
    expect(routes.map(({ metadata }) => metadata.name)).toEqual(['agents', 'california-schools', 'odd-name']);
    for (const route of routes) {
      expect(() => validate(route as never)).not.toThrow();
      for (const { backendRefs } of route.spec.rules) {
        for (const { name, port } of backendRefs) {
          expect(services.get(name), name).toMatchObject({
            spec: { ports: expect.arrayContaining([expect.objectContaining({ port })]) },
          });
          expect(services.get(name)).not.toMatchObject({
            spec: { clusterIP: name.endsWith('-web') ? 'None' : 'x' },
          });
        }
      }
    }
    const paths = routes.flatMap(({ spec }) =>
      spec.rules.flatMap(({ matches }) => matches.map(({ path }) => path.value)),
    );
    expect(paths).toContain('/v1/some/Odd%20%24(name)');
    expect(paths).toContain('/runs');
    expect(new Set(paths).size).toBe(paths.length);
    expect(text).toContain('rookery-direct');
  });

  test('builds replicas of agents: runs in PostgreSQL, a shared harness key, and no volume', () => {
    const built = build('[components/agents-replicas]');
    expect(built.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
    const agents = built.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'agents');
    expect(() => validate(agents as Manifest)).not.toThrow();
    expect(agents).toMatchObject({
      spec: { replicas: 2, strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } } },
    });
    const text = JSON.stringify(agents);
    expect(text).toContain('"--runs","$(ROOKERY_RUNS)"');
    expect(text).toContain('{"key":"key","name":"rookery-harness-key","optional":false}');
    expect(text).not.toMatch(/"name":"runs"|\/runs"/);
    expect(text.match(/"name":"ROOKERY_HARNESS_KEY"/g)).toHaveLength(1);
  });
});

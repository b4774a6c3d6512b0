import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPersistentVolumeClaim, IService } from 'kubernetes-models/v1';
import { EXAM, HARNESS_PORT, labelsOf, METRICS_KEY, type Process } from './process.ts';

const NAME = { name: 'agents', component: 'agents' } as const;
const RUNS = 'runs';
export const RUNS_FILE = '/runs/runs.sqlite';

/**
 * The process for agents: a single replica, since no other process may write its file of runs. `options`: which domains, and
 * what it expects.
 */
export function agentsProcess(options: readonly string[]): Process {
  return {
    ...NAME,
    args: [
      'agents',
      '/farm',
      '--runs',
      RUNS_FILE,
      '--harness-port',
      String(HARNESS_PORT),
      '--services-at',
      'http://{service}:8080',
      ...options,
    ],
    deliver: ['--agents'],
    forHarness: true,
    env: [
      EXAM,
      METRICS_KEY,
      {
        name: 'ROOKERY_HARNESS_KEY',
        valueFrom: { secretKeyRef: { name: 'rookery-harness-key', key: 'key', optional: true } },
      },
    ],
    ready: '/health/ready',
    cpu: '100m',
    memory: { request: '128Mi', limit: '512Mi' },
    keeps: { claim: RUNS, mountPath: '/runs' },
  };
}

export function agentsService(): IService {
  const labels = labelsOf(NAME);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: NAME.name, labels },
    spec: {
      selector: labels,
      ports: [
        { name: 'http', port: 8080, targetPort: 'http' },
        { name: 'harness', port: HARNESS_PORT, targetPort: 'harness' },
      ],
    },
  };
}

/** Lets the process for agents out to PostgreSQL, wherever it is. */
export function databasePolicy(): INetworkPolicy {
  const labels = labelsOf(NAME);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'rookery-database', labels },
    spec: {
      podSelector: { matchLabels: labels },
      policyTypes: ['Egress'],
      egress: [{ ports: [{ protocol: 'TCP', port: 5432 }] }],
    },
  };
}

/** Runs are pruned at 4 GiB; their log and runs being deleted need more. */
export function runsClaim(): IPersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: RUNS, labels: labelsOf(NAME) },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '6Gi' } } },
  };
}

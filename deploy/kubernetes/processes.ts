import { onlyOption, type ServiceGroup } from '../../services/base/farm.ts';

/** What a cluster is given. A test compares it with the published schema of its kind. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec?: object;
}

/** The gateway, the agents process, or a domain's service. */
export interface Process {
  readonly name: string;
  readonly component: 'gateway' | 'agents' | 'service';
  /** Arguments of `services/main`. */
  readonly args: readonly string[];
  /** Options of `deliver`, which select the parts of the farm to copy. */
  readonly deliver: readonly string[];
  /** Whether it has a second port, for the harness. */
  readonly forHarness?: boolean;
  readonly env: readonly Variable[];
  readonly ready: string;
  readonly cpu: string;
  readonly memory: { readonly request: string; readonly limit: string };
  /** Persistent data: a single replica, which stops before its successor starts. */
  readonly keeps?: { readonly claim: string; readonly mountPath: string };
}

const HARNESS_PORT = 8081;

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: object;
}

/** A variable from the ConfigMap `rookery`. */
const setting = (name: string, key: string): Variable => ({
  name,
  valueFrom: { configMapKeyRef: { name: 'rookery', key, optional: true } },
});

const secret = (name: string, from: string, key = 'key'): Variable => ({
  name,
  valueFrom: { secretKeyRef: { name: from, key, optional: true } },
});

const EXAM = setting('ROOKERY_EXAM', 'exam');
const METRICS_KEY = secret('ROOKERY_METRICS_KEY', 'rookery-metrics-key');

/** The options that select domains, with `$(NAME)` escaped, since it would be expanded. */
export function onlyArguments(dbs: readonly string[]): string[] {
  return dbs.map((db) => onlyOption(db).replaceAll('$(', () => '$$('));
}

/** Labels that select a process's pods. */
export function labelsOf({ name, component }: Pick<Process, 'name' | 'component'>): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'rookery',
    'app.kubernetes.io/component': component,
    'app.kubernetes.io/instance': name,
  };
}

export const ROLLING = {
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
} as const;

/** A rolling deployment, spread over nodes; one replica unless an autoscaler adds more. */
export function deployment(process: Process): Manifest {
  const labels = labelsOf(process);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: process.name, labels },
    spec: {
      revisionHistoryLimit: 3,
      selector: { matchLabels: labels },
      ...(process.keeps ? { replicas: 1, strategy: { type: 'Recreate' } } : { strategy: ROLLING }),
      template: { metadata: { labels }, spec: podSpec(process, labels) },
    },
  };
}

export function autoscaler({ name, component }: Process): Manifest {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, labels: labelsOf({ name, component }) },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: 2,
      maxReplicas: 6,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '700m' } },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
    },
  };
}

export function disruptionBudget({ name, component }: Process): Manifest {
  const labels = labelsOf({ name, component });
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, labels },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  };
}

/** Logs and traces of requests. */
const WATCHING = [
  setting('ROOKERY_ACCESS_LOG', 'access-log'),
  setting('OTEL_EXPORTER_OTLP_ENDPOINT', 'otlp-endpoint'),
];

const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

function podSpec(process: Process, labels: Record<string, string>): object {
  const { keeps } = process;
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 20,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labels },
      },
    ],
    // Copies this pod's files out of the image with the whole farm.
    initContainers: [
      {
        name: 'deliver',
        image: 'rookery-farm',
        args: ['deliver', '/data', '/farm', ...process.deliver],
        securityContext: CONTAINER_SECURITY,
        resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
        volumeMounts: [{ name: 'farm', mountPath: '/farm' }],
      },
    ],
    containers: [
      {
        name: 'rookery',
        image: 'rookery',
        args: [...process.args],
        env: [{ name: 'ROOKERY_SERVICE', value: process.name }, ...WATCHING, ...process.env],
        ports: [
          { name: 'http', containerPort: 8080 },
          ...(process.forHarness ? [{ name: 'harness', containerPort: HARNESS_PORT }] : []),
        ],
        securityContext: CONTAINER_SECURITY,
        resources: {
          requests: { cpu: process.cpu, memory: process.memory.request },
          limits: { memory: process.memory.limit },
        },
        startupProbe: {
          httpGet: { path: process.ready, port: 'http' },
          periodSeconds: 1,
          failureThreshold: 60,
        },
        readinessProbe: {
          httpGet: { path: process.ready, port: 'http' },
          periodSeconds: 5,
          timeoutSeconds: 3,
        },
        livenessProbe: {
          httpGet: { path: '/health/live', port: 'http' },
          periodSeconds: 10,
          timeoutSeconds: 5,
        },
        // Waits until no more requests arrive.
        lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } },
        volumeMounts: [
          { name: 'farm', mountPath: '/farm', readOnly: true },
          { name: 'tmp', mountPath: '/tmp' },
          // Hides the farm in the image.
          { name: 'nothing', mountPath: '/opt/farm', readOnly: true },
          ...(keeps ? [{ name: keeps.claim, mountPath: keeps.mountPath }] : []),
        ],
      },
    ],
    volumes: [
      { name: 'farm', emptyDir: {} },
      { name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
      { name: 'nothing', emptyDir: { sizeLimit: '1Mi' } },
      ...(keeps ? [{ name: keeps.claim, persistentVolumeClaim: { claimName: keeps.claim } }] : []),
    ],
  };
}

const NAME = { name: 'agents', component: 'agents' } as const;
const RUNS = 'runs';
export const RUNS_FILE = '/runs/runs.sqlite';

/**
 * The agents process: a single replica, since no other process may write its file of runs. `options`: its domains and
 * expected hash.
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
    env: [EXAM, METRICS_KEY, secret('ROOKERY_HARNESS_KEY', 'rookery-harness-key')],
    ready: '/health/ready',
    cpu: '100m',
    memory: { request: '128Mi', limit: '512Mi' },
    keeps: { claim: RUNS, mountPath: '/runs' },
  };
}

export function agentsService(): Manifest {
  return service(NAME.name, NAME, [httpPort(8080), HARNESS]);
}

/** A Service for the pods of a process. */
export function service(
  name: string,
  process: Pick<Process, 'name' | 'component'>,
  ports: { readonly name: string; readonly port: number; readonly targetPort: string }[],
  more: { readonly clusterIP?: 'None' } = {},
): Manifest {
  const labels = labelsOf(process);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels },
    spec: { ...more, selector: labels, ports },
  };
}

export const httpPort = (port: number) => ({ name: 'http', port, targetPort: 'http' });
const HARNESS = { name: 'harness', port: HARNESS_PORT, targetPort: 'harness' };

/** A network policy for the pods with `matchLabels`. `labels`: those of the policy itself. */
export function policy(
  name: string,
  matchLabels: Record<string, string>,
  rules: object,
  labels = matchLabels,
): Manifest {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels },
    spec: { podSelector: { matchLabels }, ...rules },
  };
}

/** Allows the agents process to connect to PostgreSQL anywhere. */
export function databasePolicy(): Manifest {
  return policy('rookery-database', labelsOf(NAME), {
    policyTypes: ['Egress'],
    egress: [{ ports: [{ protocol: 'TCP', port: 5432 }] }],
  });
}

/** Runs are pruned at 4 GiB; the log, and runs being deleted, need more. */
export function runsClaim(): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: RUNS, labels: labelsOf(NAME) },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '6Gi' } } },
  };
}

/** The service of some domains. `expect`: the hash of its files. */
export function domainProcess({ name, dbs }: ServiceGroup, expect: string): Process {
  const only = onlyArguments(dbs);
  return {
    name,
    component: 'service',
    args: ['serve', '/farm', ...only, '--expect', expect],
    deliver: only,
    env: [{ name: 'ROOKERY_PEERS', value: `http://${name}:8080` }],
    ready: '/health/ready',
    cpu: '50m',
    memory: dbs.length === 1 ? { request: '96Mi', limit: '256Mi' } : { request: '128Mi', limit: '512Mi' },
  };
}

/**
 * A headless Service: its name resolves to the addresses of all replicas. The gateway balances among them, and they are
 * each other's peers.
 */
export function domainService(process: Process): Manifest {
  return service(process.name, process, [httpPort(8080)], { clusterIP: 'None' });
}

/** Replicas may request handles only from replicas of the same service. */
export function peersPolicy(process: Process): Manifest {
  const labels = labelsOf(process);
  const peers = { podSelector: { matchLabels: labels } };
  const ports = [{ protocol: 'TCP', port: 'http' }];
  return policy(process.name, labels, {
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [peers], ports }],
    egress: [{ to: [peers], ports }],
  });
}

export const GATEWAY_NAME = { name: 'gateway', component: 'gateway' } as const;

/** `options`: its domains and expected hash. */
export function gatewayProcess(options: readonly string[]): Process {
  return {
    ...GATEWAY_NAME,
    args: [
      'gateway',
      '/farm',
      '--services-at',
      'http://{service}:8080',
      '--agents-at',
      'http://agents:8080',
      '--harness-port',
      String(HARNESS_PORT),
      '--agents-harness-at',
      `http://agents:${HARNESS_PORT}`,
      ...options,
    ],
    deliver: ['--gateway'],
    forHarness: true,
    env: [
      EXAM,
      METRICS_KEY,
      secret('ROOKERY_API_KEYS', 'rookery-api-keys', 'keys'),
      setting('ROOKERY_RATE_LIMIT', 'rate-limit'),
      setting('ROOKERY_CORS', 'cors'),
      setting('ROOKERY_TRUST_PROXY', 'trust-proxy'),
    ],
    // Ready as soon as it can answer for those domains that are up.
    ready: '/health/live',
    cpu: '100m',
    memory: { request: '96Mi', limit: '256Mi' },
  };
}

export function gatewayService(): Manifest {
  return service(GATEWAY_NAME.name, GATEWAY_NAME, [httpPort(80), HARNESS]);
}

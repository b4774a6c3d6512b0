import { createHash } from 'node:crypto';
import { dirname } from 'node:path/posix';
import { stringify } from 'yaml';
import type { Farm } from '../../contracts/farm.ts';
import { type FarmFile, printJson } from '../../generator/write/write-folder.ts';
import { agentFiles, MAX_SERVICES, partHash, servedFiles, serviceGroups } from '../../services/base/farm.ts';
import { alerts, dashboard, monitoringComponent, serviceMonitor } from './monitoring.ts';
import {
  agentsProcess,
  agentsService,
  autoscaler,
  databasePolicy,
  deployment,
  disruptionBudget,
  domainProcess,
  domainService,
  gatewayProcess,
  gatewayService,
  type Manifest,
  onlyArguments,
  type Process,
  peersPolicy,
  ROLLING,
  RUNS_FILE,
  runsClaim,
} from './processes.ts';
import { directPolicy, directRoutes, gatewayRoute, ingress, networkPolicies } from './routes.ts';

export interface KubernetesOptions {
  readonly only?: readonly string[];
  /** Maximum number of services that share the domains. Default: MAX_SERVICES. */
  readonly services?: number;
}

const NAMESPACE: Manifest = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: 'rookery',
    labels: {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/warn': 'restricted',
    },
  },
};

/**
 * `kubernetes/` in a farm's folder, for `kubectl apply -k`: the gateway, services of the domains, one agents process
 * with a volume for runs, network policies, and the image with the farm's data. Autoscaling, monitoring, an ingress or
 * routes of the Gateway API, replicas of the agents process and data from a volume are optional components.
 * docs/scale.md has the steps.
 */
export function emitKubernetes(
  farm: Farm,
  { only, services: most = MAX_SERVICES }: KubernetesOptions = {},
): FarmFile[] {
  const all = farm.domains.map(({ db }) => db);
  const dbs = all.filter((db) => only === undefined || only.includes(db));
  const groups = serviceGroups(all, dbs, most).map((group) => ({
    dbs: group.dbs,
    process: domainProcess(group, partHash(farm, group.dbs.flatMap(servedFiles))),
  }));
  const services = groups.map(({ process }) => process);
  const divided = dbs.length > most ? ['--services', String(most)] : [];
  const chosen = [...onlyArguments(only ?? []), ...divided];
  const gateway = gatewayProcess([...chosen, '--expect', partHash(farm, dbs.flatMap(servedFiles))]);
  const agents = agentsProcess([...chosen, '--expect', partHash(farm, dbs.flatMap(agentFiles))]);
  const scaled = [gateway, ...services];
  const manifests = {
    'namespace.yaml': [NAMESPACE],
    'network-policies.yaml': networkPolicies(),
    'gateway.yaml': [deployment(gateway), gatewayService()],
    'agents.yaml': [deployment(agents), agentsService(), runsClaim()],
    ...Object.fromEntries(
      services.map((process) => [
        `services/${process.name}.yaml`,
        [deployment(process), domainService(process), peersPolicy(process)],
      ]),
    ),
  };
  const files = {
    ...manifests,
    'kustomization.yaml': [kustomization(Object.keys(manifests), dataTag(farm))],
    'components/autoscaling/kustomization.yaml': [component(['autoscalers.yaml', 'disruption-budgets.yaml'])],
    'components/autoscaling/autoscalers.yaml': scaled.map(autoscaler),
    'components/autoscaling/disruption-budgets.yaml': scaled.map(disruptionBudget),
    'components/monitoring/kustomization.yaml': [monitoringComponent()],
    'components/monitoring/service-monitor.yaml': [serviceMonitor()],
    'components/monitoring/alerts.yaml': [alerts()],
    'components/ingress/kustomization.yaml': [component(['ingress.yaml'])],
    'components/ingress/ingress.yaml': [ingress()],
    'components/gateway-api/kustomization.yaml': [component(['route.yaml'])],
    'components/gateway-api/route.yaml': [gatewayRoute()],
    'components/gateway-api-direct/kustomization.yaml': [withoutGateway()],
    'components/gateway-api-direct/routes.yaml': directRoutes(farm, groups, agents),
    'components/gateway-api-direct/network-policy.yaml': [directPolicy()],
    'components/agents-replicas/kustomization.yaml': [agentsReplicas(agents)],
    'components/agents-replicas/disruption-budget.yaml': [disruptionBudget(agents)],
    'components/agents-replicas/network-policy.yaml': [databasePolicy()],
    'components/data-volume/kustomization.yaml': [dataVolume()],
  };
  return [
    ...Object.entries(files).map(([path, documents]) => ({
      path: `kubernetes/${path}`,
      content: documents.map((document) => stringify(document, { lineWidth: 0 })).join('---\n'),
    })),
    { path: 'kubernetes/components/monitoring/dashboard.json', content: printJson(dashboard()) },
    { path: 'kubernetes/Dockerfile', content: dataImage() },
  ];
}

/** A tag that changes with any file of the farm, so that new data roll out like a new version. */
function dataTag(farm: Farm): string {
  return createHash('sha256').update(JSON.stringify(farm.files)).digest('hex').slice(0, 12);
}

/** `kustomization.yaml`, where images can be renamed. */
export function kustomization(resources: readonly string[], dataTag: string): object {
  return {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: 'rookery',
    resources,
    images: [
      { name: 'rookery', newName: 'rookery', newTag: 'latest' },
      { name: 'rookery-farm', newName: 'rookery-farm', newTag: dataTag },
    ],
    // Add what fits the cluster.
    components: [],
  };
}

export function component(resources: readonly string[]): object {
  return { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', resources };
}

/**
 * A component that mounts each pod's files from a volume filled by `deliver`, instead of an image, for farms too large
 * for one.
 */
export function dataVolume(): object {
  const patch = [
    { op: 'remove', path: '/spec/template/spec/initContainers' },
    {
      op: 'replace',
      path: '/spec/template/spec/volumes/0',
      value: { name: 'farm', persistentVolumeClaim: { claimName: 'rookery-farm', readOnly: true } },
    },
    {
      op: 'replace',
      path: '/spec/template/spec/containers/0/volumeMounts/0',
      // The pod sees only its own folder of the volume.
      value: { name: 'farm', mountPath: '/farm', subPathExpr: '$(ROOKERY_SERVICE)', readOnly: true },
    },
  ];
  return {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    patches: [{ target: { kind: 'Deployment' }, patch: JSON.stringify(patch, null, 2) }],
  };
}

/** A component that stores runs in PostgreSQL, so that the agents process can have replicas. */
export function agentsReplicas(agents: Process): object {
  const secret = (name: string, key: string) => ({
    valueFrom: { secretKeyRef: { name, key, optional: false } },
  });
  const patches = [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: agents.name },
      spec: {
        replicas: 2,
        strategy: ROLLING,
        template: {
          spec: {
            containers: [
              {
                name: 'rookery',
                args: agents.args.map((word) => (word === RUNS_FILE ? '$(ROOKERY_RUNS)' : word)),
                env: [
                  { name: 'ROOKERY_RUNS', ...secret('rookery-runs', 'address') },
                  // Shared: a key generated by one replica would not work on the others.
                  { name: 'ROOKERY_HARNESS_KEY', ...secret('rookery-harness-key', 'key') },
                ],
                volumeMounts: [{ mountPath: dirname(RUNS_FILE), $patch: 'delete' }],
              },
            ],
            volumes: [{ name: agents.keeps?.claim, $patch: 'delete' }],
          },
        },
      },
    },
    removed('v1', 'PersistentVolumeClaim', agents.keeps?.claim ?? ''),
  ];
  return patchComponent(patches, ['disruption-budget.yaml', 'network-policy.yaml']);
}

/** A component that replaces our gateway by direct routes. */
export function withoutGateway(): object {
  const patches = [
    removed('apps/v1', 'Deployment', 'gateway'),
    removed('v1', 'Service', 'gateway'),
    removed('networking.k8s.io/v1', 'NetworkPolicy', 'rookery-gateway'),
  ];
  return patchComponent(patches, ['routes.yaml', 'network-policy.yaml']);
}

function removed(apiVersion: string, kind: string, name: string): object {
  return { apiVersion, kind, metadata: { name }, $patch: 'delete' };
}

function patchComponent(patches: readonly object[], resources: readonly string[]): object {
  return {
    ...component(resources),
    patches: patches.map((patch) => ({ patch: JSON.stringify(patch, null, 2) })),
  };
}

/** The image that holds a farm's data; never its `eval/`. */
export function dataImage(): string {
  return `# The data of this farm, for the pods' init containers; from the farm's folder:
#
#   docker build -f kubernetes/Dockerfile -t <registry>/rookery-farm:<tag of kustomization.yaml> .
ARG ROOKERY_IMAGE=rookery
FROM \${ROOKERY_IMAGE}
COPY farm.json /data/
COPY databases /data/databases
COPY services /data/services
COPY openapi /data/openapi
COPY tasks /data/tasks
`;
}

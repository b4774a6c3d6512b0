import { createHash } from 'node:crypto';
import type { INamespace } from 'kubernetes-models/v1';
import { stringify } from 'yaml';
import type { Farm } from '../../../contracts/farm.ts';
import { agentFiles, partHash, servedFiles } from '../../../services/base/farm/farm-files.ts';
import { MAX_SERVICES, serviceGroups } from '../../../services/base/farm/service-groups.ts';
import { type FarmFile, printJson } from '../../write/write-file.ts';
import { agentsProcess, agentsService, databasePolicy, runsClaim } from './agents.ts';
import { domainProcess, domainService, peersPolicy } from './domain.ts';
import { gatewayProcess, gatewayService } from './gateway.ts';
import { directPolicy, directRoutes, gatewayRoute } from './gateway-api.ts';
import { ingress } from './ingress.ts';
import {
  agentsReplicas,
  component,
  dataImage,
  dataVolume,
  kustomization,
  withoutGateway,
} from './kustomize.ts';
import { alerts } from './monitoring/alerts.ts';
import { dashboard } from './monitoring/dashboard.ts';
import { monitoringComponent, serviceMonitor } from './monitoring/service-monitor.ts';
import { networkPolicies } from './network-policies.ts';
import { autoscaler, deployment, disruptionBudget, onlyArguments } from './process.ts';

export interface KubernetesOptions {
  /** Only these domains. */
  readonly only?: readonly string[];
  /** The most services that share the domains; MAX_SERVICES unless given. */
  readonly services?: number;
}

const NAMESPACE: INamespace = {
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
 * `kubernetes/` in a farm's folder, for `kubectl apply -k`: the gateway, services of the domains, one process for
 * agents with a volume for runs, who may speak to whom, and the image with the farm's data. Autoscaling, monitoring, an
 * ingress or routes of the Gateway API, replicas of the process for agents and data from a volume are optional components. docs/scale.md has the steps.
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

/** Changes with any file of the farm, so that new data are rolled out like a new version. */
function dataTag(farm: Farm): string {
  return createHash('sha256').update(JSON.stringify(farm.files)).digest('hex').slice(0, 12);
}

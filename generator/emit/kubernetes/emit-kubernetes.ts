import { createHash } from 'node:crypto';
import type { INamespace } from 'kubernetes-models/v1';
import { stringify } from 'yaml';
import type { Farm } from '../../../contracts/farm.ts';
import { serviceNames } from '../../../services/base/farm/service-names.ts';
import type { FarmFile } from '../../write/farm-file.ts';
import { agentsProcess, agentsService, runsClaim } from './agents.ts';
import { domainProcess, domainService, peersPolicy } from './domain.ts';
import { gatewayProcess, gatewayService } from './gateway.ts';
import { ingress } from './ingress.ts';
import { dataImage, dataVolume, kustomization } from './kustomize.ts';
import { networkPolicies } from './network-policies.ts';
import { autoscaler, deployment, disruptionBudget, quoteArgument } from './process.ts';

export interface KubernetesOptions {
  /** Only these domains. */
  readonly only?: readonly string[];
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
 * `kubernetes/` in a farm's folder, for `kubectl apply -k`: the gateway and one service a domain, each with its
 * autoscaler, disruption budget and network policies; one process for agents, with a volume for runs; the image that brings the farm's data; and, as components to
 * add, an ingress and data from a volume. docs/scale.md has the steps.
 */
export function emitKubernetes(farm: Farm, { only }: KubernetesOptions = {}): FarmFile[] {
  const names = serviceNames(farm.domains.map(({ db }) => db));
  const services = farm.domains
    .filter(({ db }) => only === undefined || only.includes(db))
    .map(({ db }) => domainProcess(db, names.get(db) ?? db));
  const chosen = (only ?? []).flatMap((db) => ['--only', quoteArgument(db)]);
  const gateway = gatewayProcess(chosen);
  const manifests = {
    'namespace.yaml': [NAMESPACE],
    'network-policies.yaml': networkPolicies(),
    'gateway.yaml': [deployment(gateway), gatewayService(), autoscaler(gateway), disruptionBudget(gateway)],
    'agents.yaml': [deployment(agentsProcess(chosen)), agentsService(), runsClaim()],
    ...Object.fromEntries(
      services.map((process) => [
        `services/${process.name}.yaml`,
        [
          deployment(process),
          domainService(process),
          autoscaler(process),
          disruptionBudget(process),
          peersPolicy(process),
        ],
      ]),
    ),
  };
  const files = {
    ...manifests,
    'kustomization.yaml': [kustomization(Object.keys(manifests), dataTag(farm))],
    'components/ingress/kustomization.yaml': [
      { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', resources: ['ingress.yaml'] },
    ],
    'components/ingress/ingress.yaml': [ingress()],
    'components/data-volume/kustomization.yaml': [dataVolume()],
  };
  return [
    ...Object.entries(files).map(([path, documents]) => ({
      path: `kubernetes/${path}`,
      content: documents.map((document) => stringify(document, { lineWidth: 0 })).join('---\n'),
    })),
    { path: 'kubernetes/Dockerfile', content: dataImage() },
  ];
}

/** Changes with any file of the farm, so that new data roll out like a new version. */
function dataTag(farm: Farm): string {
  return createHash('sha256').update(JSON.stringify(farm.files)).digest('hex').slice(0, 12);
}

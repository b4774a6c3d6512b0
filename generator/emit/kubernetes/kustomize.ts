import { dirname } from 'node:path/posix';
import { RUNS_FILE } from './agents.ts';
import type { Process } from './process.ts';

/** `kustomization.yaml`, where the images' names can be changed. */
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

/** A component that adds some resources. */
export function component(resources: readonly string[]): object {
  return { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', resources };
}

/**
 * A component that takes each pod's files from a volume which `deliver` has filled, instead of from an image: for
 * farms that are too large for one.
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
      // Of the volume, this pod sees its own folder only.
      value: { name: 'farm', mountPath: '/farm', subPathExpr: '$(ROOKERY_SERVICE)', readOnly: true },
    },
  ];
  return {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    patches: [{ target: { kind: 'Deployment' }, patch: JSON.stringify(patch, null, 2) }],
  };
}

/** A component that has agents' runs in PostgreSQL, so that there may be any number of replicas of their process. */
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
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        template: {
          spec: {
            containers: [
              {
                name: 'rookery',
                args: agents.args.map((word) => (word === RUNS_FILE ? '$(ROOKERY_RUNS)' : word)),
                env: [
                  { name: 'ROOKERY_RUNS', ...secret('rookery-runs', 'address') },
                  // One for all: a replica that made its own would open nothing of the others'.
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

/** A component that routes past our gateway, which is not there then. */
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

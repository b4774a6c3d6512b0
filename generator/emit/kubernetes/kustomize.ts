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

import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1';
import { gatewayService } from './gateway.ts';

/** An ingress for clusters with an ingress controller; host and TLS are left to a patch. */
export function ingress(): IIngress {
  const { metadata = {} } = gatewayService();
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'gateway', labels: metadata.labels ?? {} },
    spec: {
      rules: [
        {
          host: 'rookery.example.org',
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: metadata.name ?? 'gateway', port: { name: 'http' } } },
              },
            ],
          },
        },
      ],
    },
  };
}

import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1';
import { GATEWAY, gatewayService } from './gateway.ts';
import { labelsOf } from './process.ts';

/** The way in for a cluster with an ingress controller; host and TLS are for a patch. */
export function ingress(): IIngress {
  const { metadata } = gatewayService();
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'gateway', labels: labelsOf(GATEWAY) },
    spec: {
      rules: [
        {
          host: 'rookery.example.org',
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: metadata?.name ?? GATEWAY.name, port: { name: 'http' } } },
              },
            ],
          },
        },
      ],
    },
  };
}

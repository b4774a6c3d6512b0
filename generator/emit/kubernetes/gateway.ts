import type { IService } from 'kubernetes-models/v1';
import { labelsOf, type Process } from './process.ts';

export const GATEWAY: Process = {
  name: 'gateway',
  component: 'gateway',
  args: ['gateway', '/farm', '--services-at', 'http://{service}:8080'],
  db: null,
  env: [
    {
      name: 'ROOKERY_API_KEYS',
      valueFrom: { secretKeyRef: { name: 'rookery-api-keys', key: 'keys', optional: true } },
    },
    {
      name: 'ROOKERY_RATE_LIMIT',
      valueFrom: { configMapKeyRef: { name: 'rookery', key: 'rate-limit', optional: true } },
    },
  ],
  // Ready as soon as it can answer for whichever domains are up.
  ready: '/health/live',
  cpu: '100m',
  memory: { request: '96Mi', limit: '256Mi' },
};

export function gatewayService(): IService {
  const labels = labelsOf(GATEWAY);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: GATEWAY.name, labels },
    spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  };
}

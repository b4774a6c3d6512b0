import type { IService } from 'kubernetes-models/v1';
import { EXAM, HARNESS_PORT, labelsOf, METRICS_KEY, type Process } from './process.ts';

const NAME = { name: 'gateway', component: 'gateway' } as const;

/** `options`: which domains, and what it expects. */
export function gatewayProcess(options: readonly string[]): Process {
  return {
    ...NAME,
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
      {
        name: 'ROOKERY_API_KEYS',
        valueFrom: { secretKeyRef: { name: 'rookery-api-keys', key: 'keys', optional: true } },
      },
      {
        name: 'ROOKERY_RATE_LIMIT',
        valueFrom: { configMapKeyRef: { name: 'rookery', key: 'rate-limit', optional: true } },
      },
      {
        name: 'ROOKERY_CORS',
        valueFrom: { configMapKeyRef: { name: 'rookery', key: 'cors', optional: true } },
      },
      {
        name: 'ROOKERY_TRUST_PROXY',
        valueFrom: { configMapKeyRef: { name: 'rookery', key: 'trust-proxy', optional: true } },
      },
    ],
    // Ready as soon as it can answer for the domains that are up.
    ready: '/health/live',
    cpu: '100m',
    memory: { request: '96Mi', limit: '256Mi' },
  };
}

export function gatewayService(): IService {
  const labels = labelsOf(NAME);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: NAME.name, labels },
    spec: {
      selector: labels,
      ports: [
        { name: 'http', port: 80, targetPort: 'http' },
        { name: 'harness', port: HARNESS_PORT, targetPort: 'harness' },
      ],
    },
  };
}

import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IService } from 'kubernetes-models/v1';
import type { ServiceGroup } from '../../../services/base/farm/service-groups.ts';
import { labelsOf, onlyArguments, type Process } from './process.ts';

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
 * Headless: its name resolves to the addresses of all replicas. The gateway chooses among them, and they are each
 * other's peers.
 */
export function domainService(process: Process): IService {
  const labels = labelsOf(process);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: process.name, labels },
    spec: { clusterIP: 'None', selector: labels, ports: [{ name: 'http', port: 8080, targetPort: 'http' }] },
  };
}

/** Replicas of one service may ask only each other for handles. */
export function peersPolicy(process: Process): INetworkPolicy {
  const labels = labelsOf(process);
  const peers = { podSelector: { matchLabels: labels } };
  const ports = [{ protocol: 'TCP' as const, port: 'http' }];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: process.name, labels },
    spec: {
      podSelector: { matchLabels: labels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [peers], ports }],
      egress: [{ to: [peers], ports }],
    },
  };
}

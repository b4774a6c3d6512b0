import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';

const PODS = { 'app.kubernetes.io/name': 'rookery' };
const HTTP = [{ protocol: 'TCP' as const, port: 'http' }];
const AND_HARNESS = [...HTTP, { protocol: 'TCP' as const, port: 'harness' }];
const pods = (component: string) => ({
  podSelector: { matchLabels: { ...PODS, 'app.kubernetes.io/component': component } },
});

/**
 * Allowed connections: everything to the gateway's port, but nothing to its port for the harness; the gateway to the
 * process for agents, both to the services, all to the name server. Nothing else is allowed.
 */
export function networkPolicies(): INetworkPolicy[] {
  return [
    policy('rookery', PODS, {
      policyTypes: ['Ingress', 'Egress'],
      egress: [
        {
          to: [
            { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } },
            // Where each node has a cache of the name server.
            { ipBlock: { cidr: '169.254.20.10/32' } },
          ],
          ports: [
            { protocol: 'UDP', port: 53 },
            { protocol: 'TCP', port: 53 },
          ],
        },
      ],
    }),
    policy('rookery-gateway', pods('gateway').podSelector.matchLabels, {
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: HTTP }],
      egress: [
        { to: [pods('service')], ports: HTTP },
        { to: [pods('agents')], ports: AND_HARNESS },
      ],
    }),
    policy('rookery-agents', pods('agents').podSelector.matchLabels, {
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [pods('gateway')], ports: AND_HARNESS }],
      egress: [{ to: [pods('service')], ports: HTTP }],
    }),
    policy('rookery-services', pods('service').podSelector.matchLabels, {
      policyTypes: ['Ingress'],
      ingress: [{ from: [pods('gateway'), pods('agents')], ports: HTTP }],
    }),
  ];
}

function policy(
  name: string,
  matchLabels: Record<string, string>,
  rules: Omit<NonNullable<INetworkPolicy['spec']>, 'podSelector'>,
): INetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: PODS },
    spec: { podSelector: { matchLabels }, ...rules },
  };
}

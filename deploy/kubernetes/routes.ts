import { type Farm, splitOf } from '../../contracts/farm.ts';
import { openapiFile } from '../../contracts/openapi.ts';
import { formulation } from '../../contracts/sample.ts';
import { serviceNames } from '../../services/base/farm.ts';
import {
  GATEWAY_NAME,
  httpPort,
  labelsOf,
  type Manifest,
  type Process,
  policy,
  service,
} from './processes.ts';

/** The Gateway API's limit per rule. */
const MOST_MATCHES = 8;

interface Rule {
  readonly matches?: readonly object[];
  readonly backendRefs: readonly { readonly name: string; readonly port: number }[];
  readonly timeouts?: { readonly request: string };
}

/** Routes to our gateway, which routes further. A patch sets parent and host. */
export function gatewayRoute(): Manifest {
  return route('gateway', labelsOf(GATEWAY_NAME), [{ matches: [prefix('/')], ...to('gateway', 80) }]);
}

/** A route per domain and one for agents, bypassing our gateway. MCP streams have no time limit. */
export function directRoutes(
  farm: Farm,
  services: readonly { readonly process: Process; readonly dbs: readonly string[] }[],
  agents: Process,
): Manifest[] {
  const names = serviceNames(farm.domains.map(({ db }) => db));
  const domains = services.flatMap(({ process, dbs }) =>
    dbs.map((db) => {
      const split = encodeURIComponent(splitOf(farm, db));
      const place = encodeURIComponent(db);
      const files = formulation.options
        .map((kind) => openapiFile(db, kind))
        .filter((file) => `openapi/${file}` in farm.files);
      const matches = [
        prefix(`/v1/${split}/${place}`),
        prefix(`/catalog/${place}`),
        prefix(`/docs/${place}`),
        ...files.map((file) => exact(`/openapi/${encodeURIComponent(file)}`)),
      ];
      const rules = rulesOf(matches, to(webName(process), 80));
      return route(names.get(db) ?? process.name, labelsOf(process), rules);
    }),
  );
  const ofAgents = ['/farm', '/board', '/tasks', '/tools', '/lists', '/mcp', '/runs', '/doors'];
  return [
    // With an address, since some gateways do not support headless Services.
    ...services.map(({ process }) => service(webName(process), process, [httpPort(80)])),
    ...domains,
    route(
      'agents',
      labelsOf(agents),
      rulesOf([...ofAgents.map(prefix), exact('/openapi/rookery.json')], {
        ...to('agents', 8080),
        timeouts: { request: '0s' },
      }),
    ),
  ];
}

/** Allows routes to reach services and the agents process, except the harness port. */
export function directPolicy(): Manifest {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'rookery-direct', labels: PODS },
    spec: {
      podSelector: {
        matchExpressions: [
          { key: 'app.kubernetes.io/component', operator: 'In', values: ['service', 'agents'] },
        ],
        // A copy: the same object twice would be written as an anchor and an alias.
        matchLabels: { ...PODS },
      },
      policyTypes: ['Ingress'],
      ingress: [{ ports: HTTP }],
    },
  };
}

const webName = ({ name }: Process) => `${name}-web`;

function route(name: string, labels: Readonly<Record<string, string>>, rules: Rule[]): Manifest {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name, labels: { ...labels } },
    spec: { parentRefs: [{ name: 'rookery' }], hostnames: ['rookery.example.org'], rules },
  };
}

function rulesOf(matches: NonNullable<Rule['matches']>, rule: Rule): Rule[] {
  const count = Math.ceil(matches.length / MOST_MATCHES);
  return Array.from({ length: count }, (_, i) => ({
    matches: matches.slice(i * MOST_MATCHES, (i + 1) * MOST_MATCHES),
    ...rule,
  }));
}

function to(name: string, port: number): Pick<Rule, 'backendRefs'> {
  return { backendRefs: [{ name, port }] };
}

const prefix = (value: string) => ({ path: { type: 'PathPrefix', value } });
const exact = (value: string) => ({ path: { type: 'Exact', value } });

/** An ingress for clusters with an ingress controller. A patch sets host and TLS. */
export function ingress(): Manifest {
  const backend = { service: { name: 'gateway', port: { name: 'http' } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'gateway', labels: labelsOf(GATEWAY_NAME) },
    spec: {
      rules: [{ host: 'rookery.example.org', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    },
  };
}

const PODS = { 'app.kubernetes.io/name': 'rookery' };
const HTTP = [{ protocol: 'TCP', port: 'http' }];
const AND_HARNESS = [...HTTP, { protocol: 'TCP', port: 'harness' }];
const pods = (component: string) => ({
  podSelector: { matchLabels: { ...PODS, 'app.kubernetes.io/component': component } },
});

const policyOf = (name: string, component: string, rules: Parameters<typeof policy>[2]) =>
  policy(name, pods(component).podSelector.matchLabels, rules, PODS);

/**
 * Allowed connections: anything to the gateway's port, but not to its harness port; the gateway to the agents process,
 * both to the services, and all to the DNS server. Nothing else is allowed.
 */
export function networkPolicies(): Manifest[] {
  return [
    policy('rookery', PODS, {
      policyTypes: ['Ingress', 'Egress'],
      egress: [
        {
          to: [
            { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } },
            // The address of the node-local DNS cache.
            { ipBlock: { cidr: '169.254.20.10/32' } },
          ],
          ports: [
            { protocol: 'UDP', port: 53 },
            { protocol: 'TCP', port: 53 },
          ],
        },
      ],
    }),
    policyOf('rookery-gateway', 'gateway', {
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: HTTP }],
      egress: [
        { to: [pods('service')], ports: HTTP },
        { to: [pods('agents')], ports: AND_HARNESS },
      ],
    }),
    policyOf('rookery-agents', 'agents', {
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [pods('gateway')], ports: AND_HARNESS }],
      egress: [{ to: [pods('service')], ports: HTTP }],
    }),
    policyOf('rookery-services', 'service', {
      policyTypes: ['Ingress'],
      ingress: [{ from: [pods('gateway'), pods('agents')], ports: HTTP }],
    }),
  ];
}

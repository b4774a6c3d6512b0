import { GATEWAY_NAME, labelsOf } from './processes.ts';

/** The monitoring component: resources of the Prometheus operator, and a dashboard for Grafana's sidecar. */
export function monitoringComponent(): object {
  return {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    resources: ['service-monitor.yaml', 'alerts.yaml'],
    configMapGenerator: [
      {
        name: 'rookery-dashboard',
        files: ['rookery.json=dashboard.json'],
        options: { labels: { grafana_dashboard: '1' }, disableNameSuffixHash: true },
      },
    ],
  };
}

/**
 * Makes Prometheus scrape the gateway, which reports all processes. Their labels stay as reported; the scraped pod's
 * own label (`pod`) distinguishes several gateways.
 */
export function serviceMonitor(): object {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: 'rookery', labels: labelsOf(GATEWAY_NAME) },
    spec: {
      selector: { matchLabels: labelsOf(GATEWAY_NAME) },
      endpoints: [
        { port: 'http', path: '/metrics', interval: '30s', scrapeTimeout: '10s', honorLabels: true },
      ],
    },
  };
}

interface Alert {
  readonly name: string;
  readonly expr: string;
  /** Duration for which the condition must hold. */
  readonly lasts: string;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  readonly description: string;
}

/** Several gateways report the same process, so the maximum counts. */
const ALERTS: readonly Alert[] = [
  {
    name: 'RookeryGatewayMissing',
    expr: 'absent(rookery_gateway_replicas)',
    lasts: '5m',
    severity: 'critical',
    summary: 'No gateway reports its health',
    description: 'Either no gateway runs, or Prometheus may not ask it: where keys are set, it needs one.',
  },
  {
    name: 'RookeryServiceDown',
    expr: 'max by (upstream) (rookery_gateway_replicas{state="up"}) == 0',
    lasts: '2m',
    severity: 'critical',
    summary: 'No replica of {{ $labels.upstream }} can be reached',
    description: 'Its domains are answered with 503. The log of its pods says why.',
  },
  {
    name: 'RookeryMetricsMissing',
    expr: 'max by (service, instance) (rookery_gateway_scrape_success) == 0',
    lasts: '5m',
    severity: 'warning',
    summary: '{{ $labels.service }} at {{ $labels.instance }} does not tell how it is',
    description: 'It runs but does not answer within two seconds: stopped, or out of processor time.',
  },
  {
    name: 'RookeryErrors',
    expr: 'sum(rate(rookery_gateway_requests_total{code=~"5.."}[5m])) / sum(rate(rookery_gateway_requests_total[5m])) > 0.01',
    lasts: '10m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of all requests fail',
    description: 'By domain and code: rookery_gateway_requests_total.',
  },
  {
    name: 'RookeryQueueLong',
    expr: 'max by (service, instance) (rookery_slow_queries_waiting) > 32',
    lasts: '5m',
    severity: 'warning',
    summary: '{{ $value }} slow queries wait in {{ $labels.service }}',
    description: 'Beyond 64 they are refused. More replicas of this service take more of them.',
  },
  {
    name: 'RookeryQueriesRefused',
    expr: 'max by (service, instance) (rate(rookery_queries_refused_total[5m])) > 0',
    lasts: '5m',
    severity: 'warning',
    summary: '{{ $labels.service }} refuses slow queries',
    description: 'Too many wait. More replicas of this service take more of them.',
  },
  {
    name: 'RookeryRunsStuck',
    expr: 'max(rookery_runs_stuck) > 0',
    lasts: '15m',
    severity: 'warning',
    summary: '{{ $value }} runs are open and nothing is heard of their agents',
    description: 'Nothing was asked in them for 15 minutes: an agent has died, or waits for its model.',
  },
  {
    name: 'RookeryAgentsFailing',
    expr: 'sum(max by (service, instance, outcome) (rate(rookery_runs_ended_total{outcome=~"error|no_answer"}[15m]))) / sum(max by (service, instance, outcome) (rate(rookery_runs_ended_total[15m]))) > 0.5',
    lasts: '10m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of all runs end without an answer',
    description:
      'By outcome: rookery_runs_ended_total; what fails in their calls: rookery_run_call_errors_total.',
  },
  {
    name: 'RookeryRunsStoreAway',
    expr: 'min(rookery_runs_store_up) == 0',
    lasts: '1m',
    severity: 'critical',
    summary: 'The file or database of runs does not answer',
    description: 'Runs are refused until it is back. With PostgreSQL, the log of the agents says since when.',
  },
  {
    name: 'RookeryRunsDiskFull',
    expr: 'min(rookery_runs_disk_free_bytes) < 512 * 1024 * 1024',
    lasts: '10m',
    severity: 'critical',
    summary: '{{ $value | humanize1024 }}B are left for the runs of agents',
    description: 'When it is full, calls in runs are refused. Enlarge the volume, or end and delete runs.',
  },
];

export function alerts(): object {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'rookery', labels: { 'app.kubernetes.io/name': 'rookery' } },
    spec: {
      groups: [
        {
          name: 'rookery',
          rules: ALERTS.map(({ name, expr, lasts, severity, ...annotations }) => ({
            alert: name,
            expr,
            for: lasts,
            labels: { severity },
            annotations,
          })),
        },
      ],
    },
  };
}

interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly queries: readonly (readonly [expr: string, legend: string])[];
}

const SECONDS = 'rookery_gateway_request_duration_seconds_bucket';
const quantile = (q: number) => `histogram_quantile(${q}, sum by (le) (rate(${SECONDS}[$__rate_interval])))`;

/** Several gateways report the same process, so the maximum counts. */
const PANELS: readonly Panel[] = [
  {
    title: 'Requests by status',
    unit: 'reqps',
    queries: [['sum by (code) (rate(rookery_gateway_requests_total[$__rate_interval]))', '{{code}}']],
  },
  {
    title: 'Time to answer',
    unit: 's',
    queries: [
      [quantile(0.5), 'median'],
      [quantile(0.99), '99 %'],
    ],
  },
  {
    title: 'Busiest domains',
    unit: 'reqps',
    queries: [
      [
        'topk(10, sum by (domain) (rate(rookery_gateway_requests_total{domain!=""}[$__rate_interval])))',
        '{{domain}}',
      ],
    ],
  },
  {
    title: 'Replicas that cannot be reached',
    unit: 'none',
    queries: [['max by (upstream) (rookery_gateway_replicas{state="down"}) > 0', '{{upstream}}']],
  },
  {
    title: 'Slow queries',
    unit: 'none',
    queries: [
      ['sum(max by (service, instance) (rookery_slow_queries_running))', 'running'],
      ['sum(max by (service, instance) (rookery_slow_queries_waiting))', 'waiting'],
    ],
  },
  {
    title: 'Slow queries stopped or refused',
    unit: 'reqps',
    queries: [
      [
        'sum(max by (service, instance) (rate(rookery_query_timeouts_total[$__rate_interval])))',
        'stopped at the limit',
      ],
      ['sum(max by (service, instance) (rate(rookery_queries_refused_total[$__rate_interval])))', 'refused'],
    ],
  },
  {
    title: 'Memory',
    unit: 'bytes',
    queries: [['topk(10, max by (service, instance) (process_resident_memory_bytes))', '{{service}}']],
  },
  {
    title: 'Processor',
    unit: 'none',
    queries: [
      [
        'topk(10, max by (service, instance) (rate(process_cpu_seconds_total[$__rate_interval])))',
        '{{service}}',
      ],
    ],
  },
  {
    title: 'Runs that are open',
    unit: 'none',
    queries: [
      ['max(rookery_runs_open)', 'open'],
      ['max(rookery_runs_stuck)', 'nothing heard for 15 minutes'],
    ],
  },
  {
    title: 'Runs ended by outcome',
    unit: 'ops',
    queries: [
      [
        'sum by (outcome) (max by (service, instance, outcome) (rate(rookery_runs_ended_total[$__rate_interval])))',
        '{{outcome}}',
      ],
    ],
  },
  {
    title: 'Calls of runs that fail',
    unit: 'ops',
    queries: [
      [
        'sum by (code) (max by (service, instance, code) (rate(rookery_run_call_errors_total[$__rate_interval])))',
        '{{code}}',
      ],
    ],
  },
  {
    title: 'Disk of the runs',
    unit: 'bytes',
    queries: [
      ['max(rookery_runs_bytes)', 'runs'],
      ['min(rookery_runs_disk_free_bytes)', 'free'],
    ],
  },
];

const WIDTH = 8;
const HEIGHT = 8;
const A_ROW = 3;
const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** A Grafana dashboard of a farm, for any Prometheus data source. */
export function dashboard(): object {
  return {
    uid: 'rookery',
    title: 'rookery',
    tags: ['rookery'],
    schemaVersion: 39,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: PANELS.map(({ title, unit, queries }, i) => ({
      id: i + 1,
      type: 'timeseries',
      title,
      datasource: DATASOURCE,
      gridPos: { x: (i % A_ROW) * WIDTH, y: Math.floor(i / A_ROW) * HEIGHT, w: WIDTH, h: HEIGHT },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
      targets: queries.map(([expr, legendFormat], j) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + j),
        datasource: DATASOURCE,
        expr,
        legendFormat,
      })),
    })),
  };
}

import { GATEWAY_NAME, labelsOf } from './processes.ts';

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

/** An alert of a condition that has held for so long. */
function alert(
  alert: string,
  severity: 'critical' | 'warning',
  lasts: string,
  { expr, ...annotations }: Readonly<Record<'expr' | 'summary' | 'description', string>>,
): object {
  return { alert, expr, for: lasts, labels: { severity }, annotations };
}

/** Several gateways report the same process, so the maximum counts. */
const ALERTS = [
  alert('RookeryGatewayMissing', 'critical', '5m', {
    expr: 'absent(rookery_gateway_replicas)',
    summary: 'No gateway reports its health',
    description: 'Either no gateway runs, or Prometheus may not ask it: where keys are set, it needs one.',
  }),
  alert('RookeryServiceDown', 'critical', '2m', {
    expr: 'max by (upstream) (rookery_gateway_replicas{state="up"}) == 0',
    summary: 'No replica of {{ $labels.upstream }} can be reached',
    description: 'Its domains are answered with 503. The log of its pods says why.',
  }),
  alert('RookeryMetricsMissing', 'warning', '5m', {
    expr: 'max by (service, instance) (rookery_gateway_scrape_success) == 0',
    summary: '{{ $labels.service }} at {{ $labels.instance }} does not tell how it is',
    description: 'It runs but does not answer within two seconds: stopped, or out of processor time.',
  }),
  alert('RookeryErrors', 'warning', '10m', {
    expr: 'sum(rate(rookery_gateway_requests_total{code=~"5.."}[5m])) / sum(rate(rookery_gateway_requests_total[5m])) > 0.01',
    summary: '{{ $value | humanizePercentage }} of all requests fail',
    description: 'By domain and code: rookery_gateway_requests_total.',
  }),
  alert('RookeryQueueLong', 'warning', '5m', {
    expr: 'max by (service, instance) (rookery_slow_queries_waiting) > 32',
    summary: '{{ $value }} slow queries wait in {{ $labels.service }}',
    description: 'Beyond 64 they are refused. More replicas of this service take more of them.',
  }),
  alert('RookeryQueriesRefused', 'warning', '5m', {
    expr: 'max by (service, instance) (rate(rookery_queries_refused_total[5m])) > 0',
    summary: '{{ $labels.service }} refuses slow queries',
    description: 'Too many wait. More replicas of this service take more of them.',
  }),
  alert('RookeryRunsStuck', 'warning', '15m', {
    expr: 'max(rookery_runs_stuck) > 0',
    summary: '{{ $value }} runs are open and nothing is heard of their agents',
    description: 'Nothing was asked in them for 15 minutes: an agent has died, or waits for its model.',
  }),
  alert('RookeryAgentsFailing', 'warning', '10m', {
    expr: 'sum(max by (service, instance, outcome) (rate(rookery_runs_ended_total{outcome=~"error|no_answer"}[15m]))) / sum(max by (service, instance, outcome) (rate(rookery_runs_ended_total[15m]))) > 0.5',
    summary: '{{ $value | humanizePercentage }} of all runs end without an answer',
    description:
      'By outcome: rookery_runs_ended_total; what fails in their calls: rookery_run_call_errors_total.',
  }),
  alert('RookeryRunsStoreAway', 'critical', '1m', {
    expr: 'min(rookery_runs_store_up) == 0',
    summary: 'The file or database of runs does not answer',
    description: 'Runs are refused until it is back. With PostgreSQL, the log of the agents says since when.',
  }),
  alert('RookeryRunsDiskFull', 'critical', '10m', {
    expr: 'min(rookery_runs_disk_free_bytes) < 512 * 1024 * 1024',
    summary: '{{ $value | humanize1024 }}B are left for the runs of agents',
    description: 'When it is full, calls in runs are refused. Enlarge the volume, or end and delete runs.',
  }),
];

export function alerts(): object {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'rookery', labels: { 'app.kubernetes.io/name': 'rookery' } },
    spec: { groups: [{ name: 'rookery', rules: ALERTS }] },
  };
}

const SECONDS = 'rookery_gateway_request_duration_seconds_bucket';
const quantile = (q: number) => `histogram_quantile(${q}, sum by (le) (rate(${SECONDS}[$__rate_interval])))`;

const WIDTH = 8;
const HEIGHT = 8;
const A_ROW = 3;
const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** A chart of queries, by their legends. */
function panel(title: string, unit: string, queries: Readonly<Record<string, string>>) {
  return {
    type: 'timeseries',
    title,
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: Object.entries(queries).map(([legendFormat, expr], i) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + i),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  };
}

/** Several gateways report the same process, so the maximum counts. */
const PANELS = [
  panel('Requests by status', 'reqps', {
    '{{code}}': 'sum by (code) (rate(rookery_gateway_requests_total[$__rate_interval]))',
  }),
  panel('Time to answer', 's', { median: quantile(0.5), '99 %': quantile(0.99) }),
  panel('Busiest domains', 'reqps', {
    '{{domain}}':
      'topk(10, sum by (domain) (rate(rookery_gateway_requests_total{domain!=""}[$__rate_interval])))',
  }),
  panel('Replicas that cannot be reached', 'none', {
    '{{upstream}}': 'max by (upstream) (rookery_gateway_replicas{state="down"}) > 0',
  }),
  panel('Slow queries', 'none', {
    running: 'sum(max by (service, instance) (rookery_slow_queries_running))',
    waiting: 'sum(max by (service, instance) (rookery_slow_queries_waiting))',
  }),
  panel('Slow queries stopped or refused', 'reqps', {
    'stopped at the limit':
      'sum(max by (service, instance) (rate(rookery_query_timeouts_total[$__rate_interval])))',
    refused: 'sum(max by (service, instance) (rate(rookery_queries_refused_total[$__rate_interval])))',
  }),
  panel('Memory', 'bytes', {
    '{{service}}': 'topk(10, max by (service, instance) (process_resident_memory_bytes))',
  }),
  panel('Processor', 'none', {
    '{{service}}': 'topk(10, max by (service, instance) (rate(process_cpu_seconds_total[$__rate_interval])))',
  }),
  panel('Runs that are open', 'none', {
    open: 'max(rookery_runs_open)',
    'nothing heard for 15 minutes': 'max(rookery_runs_stuck)',
  }),
  panel('Runs ended by outcome', 'ops', {
    '{{outcome}}':
      'sum by (outcome) (max by (service, instance, outcome) (rate(rookery_runs_ended_total[$__rate_interval])))',
  }),
  panel('Calls of runs that fail', 'ops', {
    '{{code}}':
      'sum by (code) (max by (service, instance, code) (rate(rookery_run_call_errors_total[$__rate_interval])))',
  }),
  panel('Disk of the runs', 'bytes', {
    runs: 'max(rookery_runs_bytes)',
    free: 'min(rookery_runs_disk_free_bytes)',
  }),
];

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
    panels: PANELS.map((panel, i) => ({
      id: i + 1,
      gridPos: { x: (i % A_ROW) * WIDTH, y: Math.floor(i / A_ROW) * HEIGHT, w: WIDTH, h: HEIGHT },
      ...panel,
    })),
  };
}

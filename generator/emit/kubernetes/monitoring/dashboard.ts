interface Panel {
  readonly title: string;
  readonly unit: string;
  /** Expressions with the legends of their lines. */
  readonly queries: readonly (readonly [expr: string, legend: string])[];
}

const SECONDS = 'rookery_gateway_request_duration_seconds_bucket';
const quantile = (q: number) => `histogram_quantile(${q}, sum by (le) (rate(${SECONDS}[$__rate_interval])))`;

/** Several gateways report the same process, so the greatest value counts. */
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

/** A Grafana dashboard of a farm; it works with any Prometheus data source. */
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

interface Alert {
  readonly name: string;
  readonly expr: string;
  /** How long it must hold. */
  readonly lasts: string;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  readonly description: string;
}

/** Several gateways report the same process, so the greatest value counts. */
const ALERTS: readonly Alert[] = [
  {
    name: 'RookeryGatewayMissing',
    expr: 'absent(rookery_gateway_replicas)',
    lasts: '5m',
    severity: 'critical',
    summary: 'No gateway tells how it is',
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
    description: 'Runs are refused until it is back. With PostgreSQL, the log of agents tells since when.',
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

/** Alert rules for the Prometheus operator. */
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

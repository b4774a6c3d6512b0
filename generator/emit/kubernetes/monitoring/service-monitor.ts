import { gatewayService } from '../gateway.ts';

/** The component: the Prometheus operator's resources, and the dashboard as Grafana's sidecar finds it. */
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
 * Makes Prometheus scrape the gateway, which answers for all processes. Their labels are kept as the gateway gives
 * them; the scraped pod's own label (`pod`) distinguishes several gateways.
 */
export function serviceMonitor(): object {
  const { metadata = {} } = gatewayService();
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: 'rookery', labels: metadata.labels ?? {} },
    spec: {
      selector: { matchLabels: metadata.labels ?? {} },
      endpoints: [
        { port: 'http', path: '/metrics', interval: '30s', scrapeTimeout: '10s', honorLabels: true },
      ],
    },
  };
}

import { setImmediate } from 'node:timers/promises';
import { getOrInsert } from '../base/concurrency.ts';
import { serveMetrics } from '../base/http/guard.ts';
import { HttpProblem } from '../base/http/problem.ts';
import type { Upstream } from '../base/upstream.ts';
import { askReplicas, cachedLookup, type GatewayRoutes } from './forward.ts';

const KEEP_MS = 5000;
/** Limit of requests: the text is long, and sending it often would delay other requests. */
const MAX_A_SECOND = 10;

/**
 * `/metrics`: the gateway's own metrics and those of every replica, separated by the labels `service` and `instance`.
 * `rookery_gateway_scrape_success` is 1 for each replica whose metrics are included.
 */
export const metricsRoutes: GatewayRoutes = (app, { upstreams, exam, metrics, metricsKey }) => {
  const { services, agents, agentsHarness } = upstreams;
  // In an exam the agents' process serves its metrics only at the harness's port.
  const ofAgents = (exam ? agentsHarness : undefined) ?? agents;
  const asked = [...services, ...(ofAgents ? [ofAgents] : [])];
  const collected = cachedLookup(async () => {
    const own = { text: await metrics.text(), labels: { service: 'gateway' } };
    return Buffer.from(await mergeExpositions([own, ...(await expositionsOf(asked, metricsKey))]));
  }, KEEP_MS);
  let sent = 0;
  let second = 0;

  const text = () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, sent] = [now, 0];
    if (++sent > MAX_A_SECOND) {
      throw new HttpProblem('RATE_LIMITED', `Metrics are sent at most ${MAX_A_SECOND} times a second.`, {
        headers: { 'retry-after': '1' },
      });
    }
    return collected();
  };
  serveMetrics(app, { contentType: metrics.contentType, text });
};

/** `key`: the metrics key, if the processes have one. */
async function expositionsOf(upstreams: readonly Upstream[], key: string | undefined): Promise<Exposition[]> {
  const said = await askReplicas(upstreams, '/metrics', {
    accept: 'text/plain',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  });
  return said.flatMap(({ upstream, replica, text }) => {
    const labels = { service: upstream.identity.name, instance: new URL(replica.origin).host };
    const mark = { text: scrapeSuccess(text !== undefined), labels };
    return text === undefined ? [mark] : [mark, { text, labels }];
  });
}

function scrapeSuccess(success: boolean): string {
  const name = 'rookery_gateway_scrape_success';
  return [
    `# HELP ${name} Whether the metrics of a replica could be collected in time`,
    `# TYPE ${name} gauge`,
    `${name} ${Number(success)}`,
  ].join('\n');
}

export interface Exposition {
  readonly text: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Family {
  readonly head: string[];
  readonly samples: string[];
}

/**
 * Merges Prometheus texts: each metric once with its HELP and TYPE, every sample with the labels of its source.
 * Samples are copied, not added up: that is left to the reader. Yields to other work between texts.
 */
export async function mergeExpositions(expositions: readonly Exposition[]): Promise<string> {
  const families = new Map<string, Family>();
  for (const { text, labels } of expositions) {
    const added = Object.entries(labels)
      .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
      .join(',');
    readInto(families, text, added);
    await setImmediate();
  }
  const blocks = [...families.values()].map(({ head, samples }) => [...head, ...samples].join('\n'));
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}

function readInto(families: Map<string, Family>, text: string, labels: string): void {
  let family: Family = { head: [], samples: [] };
  for (const line of text.split('\n')) {
    const [, keyword, name] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
    if (name === undefined) {
      if (line !== '' && !line.startsWith('#')) family.samples.push(addLabels(line, labels));
      continue;
    }
    family = getOrInsert(families, name, () => ({ head: [], samples: [] }));
    if (!family.head.some((known) => known.startsWith(`# ${keyword} `))) family.head.push(line);
  }
}

/** `name{a="1"} 2` or `name 2`, with more labels before its own. */
function addLabels(sample: string, labels: string): string {
  if (labels === '') return sample;
  const [, name = '', own = '', value = ''] =
    /^([a-zA-Z_:][\w:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?( .*)$/.exec(sample) ?? [];
  return name === '' ? sample : `${name}{${labels}${own === '' ? '' : `,${own}`}}${value}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

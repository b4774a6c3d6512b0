import { UserError } from '../../../contracts/errors.ts';
import type { WatchOptions } from './watch.ts';

/**
 * What environment variables say is to be told of requests: `ROOKERY_ACCESS_LOG`, the share of answers that are logged,
 * and those of OpenTelemetry, of which `OTEL_EXPORTER_OTLP_ENDPOINT` turns traces on. Unset and empty mean the same:
 * nothing. `process` is what the process does. Throws OPTION_INVALID.
 */
export async function watchEnvironment(
  env: NodeJS.ProcessEnv,
  process: 'serve' | 'agents' | 'gateway',
): Promise<WatchOptions> {
  return { ...accessLog(env.ROOKERY_ACCESS_LOG ?? ''), ...(await tracing(env, process)) };
}

function accessLog(text: string): WatchOptions {
  if (text === '') return {};
  const share = Number(text);
  if (/^[\d.]+$/.test(text) && share >= 0 && share <= 1) return { accessLog: { share } };
  const fix =
    'give the share of answers that are logged, from 0 (those of status 500 and above only) to 1 (all)';
  throw new UserError('OPTION_INVALID', 'ROOKERY_ACCESS_LOG', `${text} cannot be used; ${fix}`);
}

async function tracing(env: NodeJS.ProcessEnv, process: string): Promise<WatchOptions> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || env.OTEL_SDK_DISABLED === 'true') return {};
  // Loaded only where it is wanted: it is a quarter of a megabyte.
  const { startTracing } = await import('./tracing.ts');
  return { tracing: startTracing(env.OTEL_SERVICE_NAME || `rookery-${process}`) };
}

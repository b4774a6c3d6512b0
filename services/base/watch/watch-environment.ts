import { UserError } from '../../../contracts/errors.ts';
import type { TelemetryOptions } from './watch.ts';

/**
 * What environment variables say is to be told of requests: `ROOKERY_ACCESS_LOG`, the share of answers that are logged,
 * and those of OpenTelemetry, of which `OTEL_EXPORTER_OTLP_ENDPOINT` turns traces on. Unset and empty mean the same:
 * nothing. `process` is what the process does. Throws OPTION_INVALID.
 */
export async function telemetryEnvironment(
  env: NodeJS.ProcessEnv,
  process: 'serve' | 'agents' | 'gateway',
): Promise<TelemetryOptions> {
  return { ...accessLog(env.ROOKERY_ACCESS_LOG ?? ''), ...(await tracing(env, process)) };
}

function accessLog(text: string): TelemetryOptions {
  if (text === '') return {};
  const share = Number(text);
  if (/^[\d.]+$/.test(text) && share >= 0 && share <= 1) return { accessLog: { share } };
  const fix =
    'give the share of answers that are logged, from 0 (those of status 500 and above only) to 1 (all)';
  throw new UserError('OPTION_INVALID', 'ROOKERY_ACCESS_LOG', `${text} cannot be used; ${fix}`);
}

/**
 * Sends the spans that a program makes by itself where the same variables of OpenTelemetry say, if they do. Resolves to
 * what sends the last of them.
 */
export async function traceProgram(env: NodeJS.ProcessEnv, program: string): Promise<() => Promise<void>> {
  if (!isTraced(env)) return async () => {};
  const [{ tracerProvider }, { trace }] = await Promise.all([
    import('./tracing.ts'),
    import('@opentelemetry/api'),
  ]);
  const provider = tracerProvider(env.OTEL_SERVICE_NAME || `rookery-${program}`);
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}

function isTraced(env: NodeJS.ProcessEnv): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return !!endpoint && env.OTEL_SDK_DISABLED !== 'true';
}

async function tracing(env: NodeJS.ProcessEnv, process: string): Promise<TelemetryOptions> {
  if (!isTraced(env)) return {};
  // Loaded only where it is wanted: it is a quarter of a megabyte.
  const { startTracing } = await import('./tracing.ts');
  return { tracing: startTracing(env.OTEL_SERVICE_NAME || `rookery-${process}`) };
}

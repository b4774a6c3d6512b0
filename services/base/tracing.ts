import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { packageVersion } from '../../contracts/package-root.ts';
import type { CallWatcher } from './telemetry.ts';

/** Exports spans to OTEL_EXPORTER_OTLP_ENDPOINT, sampled by OTEL_TRACES_SAMPLER. */
export interface Tracing {
  /** Creates a span for every request of an app, and shuts down with it. */
  trace(app: FastifyInstance): void;
  readonly call: CallWatcher;
}

const propagator = new W3CTraceContextPropagator();
const fromHeaders = {
  get: (headers: FastifyRequest['headers'], name: string) => headers[name],
  keys: (headers: FastifyRequest['headers']) => Object.keys(headers),
};
const toObject = {
  set: (carrier: Record<string, string>, name: string, value: string) => {
    carrier[name] = value;
  },
};

/** Configured by OpenTelemetry's environment variables. `service` is the process's name in traces. */
export function tracerProvider(service: string): BasicTracerProvider {
  return new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': packageVersion }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
}

export function startTracing(service: string): Tracing {
  const provider = tracerProvider(service);
  const tracer = provider.getTracer('rookery', packageVersion);
  const spans = new WeakMap<FastifyRequest, Span>();

  const start = ({ id, method, path, route, headers }: Traced) => {
    const parent = propagator.extract(ROOT_CONTEXT, headers, fromHeaders);
    const attributes = {
      'http.request.method': method,
      'url.path': path,
      'rookery.request_id': id,
      ...(route ? { 'http.route': route } : {}),
    };
    const span = tracer.startSpan(
      `${method} ${route ?? 'unknown'}`,
      { kind: SpanKind.SERVER, attributes },
      parent,
    );
    return { span, parent };
  };
  const begin = (request: FastifyRequest) => {
    const { id, method, headers } = request;
    const [path = ''] = (request.raw.url ?? '').split('?', 1);
    const { span, parent } = start({ id, method, path, headers, route: request.routeOptions.url });
    spans.set(request, span);
    request.traceparent = traceparentOf(trace.setSpan(parent, span));
  };
  const end = (span: Span | undefined, status: number) => {
    span?.setAttribute('http.response.status_code', status);
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  };

  return {
    trace(app) {
      app.addHook('onRequest', (request, _reply, done) => {
        begin(request);
        done();
      });
      app.addHook('onResponse', (request, reply, done) => {
        end(spans.get(request), reply.raw.statusCode);
        done();
      });
      app.addHook('onClose', () => provider.shutdown());
    },
    call({ id, kind, method, path, traceparent }) {
      const { span } = start({ id, method, path, route: `/v1/:split/:db/${kind}`, headers: { traceparent } });
      return ({ status }) => end(span, status);
    },
  };
}

interface Traced {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly route: string | undefined;
  readonly headers: FastifyRequest['headers'];
}

function traceparentOf(context: Context): string | undefined {
  const carrier: Record<string, string> = {};
  propagator.inject(context, carrier, toObject);
  return carrier.traceparent;
}

import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packageVersion } from '../../contracts/package-root.ts';

/** Hands spans to where OTEL_EXPORTER_OTLP_ENDPOINT says; what samples them is in OTEL_TRACES_SAMPLER. */
export interface Tracing {
  /** Makes a span of every request of an app, and ends with it. */
  trace(app: FastifyInstance): void;
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

/** Where spans go, as OpenTelemetry's environment variables say. `service` is what the process is called in traces. */
export function tracerProvider(service: string): BasicTracerProvider {
  return new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': packageVersion }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
}

/** `service` is what the process is called in traces. */
export function startTracing(service: string): Tracing {
  const provider = tracerProvider(service);
  const tracer = provider.getTracer('rookery', packageVersion);
  const spans = new WeakMap<FastifyRequest, Span>();

  const begin = (request: FastifyRequest) => {
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, fromHeaders);
    const route = request.routeOptions.url;
    const attributes = {
      'http.request.method': request.method,
      'url.path': (request.raw.url ?? '').split('?', 1)[0],
      'rookery.request_id': request.id,
      ...(route ? { 'http.route': route } : {}),
    };
    const name = `${request.method} ${route ?? 'unknown'}`;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    spans.set(request, span);
    request.traceparent = traceparentOf(trace.setSpan(parent, span));
  };
  const end = (request: FastifyRequest, reply: FastifyReply) => {
    const span = spans.get(request);
    const status = reply.raw.statusCode;
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
        end(request, reply);
        done();
      });
      app.addHook('onClose', () => provider.shutdown());
    },
  };
}

function traceparentOf(context: Context): string | undefined {
  const carrier: Record<string, string> = {};
  propagator.inject(context, carrier, toObject);
  return carrier.traceparent;
}

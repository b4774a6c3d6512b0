import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Completion, ModelRequest } from '../models/model.ts';

type Attributes = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

/** Providers whose names differ in OpenTelemetry's conventions. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'openai-responses': 'openai',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  bedrock: 'aws.bedrock',
};

/** An attempt's spans, by OpenTelemetry's GenAI conventions. Nearly free without a trace provider. */
export class AttemptSpans {
  readonly #attempt: Span;
  readonly #context: Context;
  readonly #model: Attributes;

  /** `model`: `<provider>/<name>`, or '' for agents without a model. */
  constructor({ agent, model, attributes }: { agent: string; model: string; attributes: Attributes }) {
    const [prefix = '', ...name] = model.split('/');
    this.#model =
      model === ''
        ? {}
        : { 'gen_ai.provider.name': PROVIDERS[prefix] ?? prefix, 'gen_ai.request.model': name.join('/') };
    this.#attempt = start(`invoke_agent ${agent}`, SpanKind.INTERNAL, ROOT_CONTEXT, {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent,
      ...this.#model,
      ...attributes,
    });
    this.#context = trace.setSpan(ROOT_CONTEXT, this.#attempt);
  }

  /** Ends the attempt's span; `error` is the error class, if any. */
  end(attributes: Attributes, error: string | null): void {
    end(this.#attempt, attributes, error);
  }

  /** A span around one completion: `chat`, or `text_completion` if the prompt is a text. */
  async completion<Result extends { readonly completion: Completion }>(
    request: ModelRequest,
    complete: () => Promise<Result>,
  ): Promise<Result> {
    const operation = 'text' in request.prompt ? 'text_completion' : 'chat';
    const { temperature, top_p, max_tokens, seed } = request.decoding;
    const span = start(
      `${operation} ${this.#model['gen_ai.request.model'] ?? ''}`.trim(),
      SpanKind.CLIENT,
      this.#context,
      {
        'gen_ai.operation.name': operation,
        ...this.#model,
        'gen_ai.request.temperature': temperature,
        'gen_ai.request.top_p': top_p,
        'gen_ai.request.max_tokens': max_tokens,
        'gen_ai.request.seed': seed,
      },
    );
    try {
      const result = await complete();
      const { usage, model, stop } = result.completion;
      end(
        span,
        {
          'gen_ai.response.model': model,
          'gen_ai.response.finish_reasons': [stop],
          'gen_ai.usage.input_tokens': usage.input,
          'gen_ai.usage.output_tokens': usage.output,
          'gen_ai.usage.cache_read.input_tokens': usage.cached_input,
        },
        null,
      );
      return result;
    } catch (error) {
      end(span, {}, kindOf(error));
      throw error;
    }
  }

  /** A span around one tool call, which receives the span's W3C header fields if traces are recorded. */
  async tool<Outcome extends { readonly ok: boolean; readonly status?: number | null }>(
    name: string,
    call: (headers: Readonly<Record<string, string>>) => Promise<Outcome>,
  ): Promise<Outcome> {
    const span = start(`execute_tool ${name}`, SpanKind.INTERNAL, this.#context, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
    });
    const { traceId, spanId, traceFlags } = span.spanContext();
    const traceparent = `00-${traceId}-${spanId}-0${traceFlags}`;
    try {
      const outcome = await call(span.isRecording() ? { traceparent } : {});
      end(span, {}, outcome.ok ? null : String(outcome.status ?? 'tool_error'));
      return outcome;
    } catch (error) {
      end(span, {}, kindOf(error));
      throw error;
    }
  }
}

function start(name: string, kind: SpanKind, parent: Context, attributes: Attributes): Span {
  const span = trace.getTracer('rookery').startSpan(name, { kind }, parent);
  return set(span, attributes);
}

function end(span: Span, attributes: Attributes, error: string | null): void {
  set(span, attributes);
  if (error !== null) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function set(span: Span, attributes: Attributes): Span {
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null) span.setAttribute(name, typeof value === 'object' ? [...value] : value);
  }
  return span;
}

/** The class of an error: the kind of a ModelError, else the error's name. */
function kindOf(error: unknown): string {
  const { kind, name } = error as { readonly kind?: unknown; readonly name?: unknown };
  return String(kind ?? name ?? 'error');
}

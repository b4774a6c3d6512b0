import { z } from 'zod';
import { ModelError, readFailure, readNetworkFailure, unreadable } from './failures.ts';
import { type Constrain, grammarOf } from './grammar.ts';
import type { Completion, Model, ModelRequest } from './model.ts';

export interface CompletionsOptions {
  readonly id: string;
  /** The model's name at the server. */
  readonly name: string;
  /** `http://127.0.0.1:8000/v1` */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly fetch: typeof fetch;
  readonly constrain?: Constrain;
}

const answer = z.object({
  model: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  choices: z.array(z.object({ text: z.string(), finish_reason: z.string().nullish() })).min(1),
  usage: z
    .object({
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
      completion_tokens_details: z.object({ reasoning_tokens: z.number().nullish() }).nullish(),
    })
    .nullish(),
});

/**
 * `/v1/completions`: continues a text verbatim, which the templates of model families require. (The AI SDK's
 * completion models prepend `user:`.) Tools are part of the text, if anywhere.
 */
export class CompletionsModel implements Model {
  readonly id: string;
  readonly transport = 'completions';
  readonly constraints: Model['constraints'];
  readonly #options: CompletionsOptions;

  constructor(options: CompletionsOptions) {
    this.id = options.id;
    this.constraints = options.constrain === undefined ? [] : ['schema', 'grammar'];
    this.#options = options;
  }

  async complete({ prompt, decoding, replySchema }: ModelRequest, signal: AbortSignal): Promise<Completion> {
    if (!('text' in prompt)) {
      throw new ModelError('bad_request', `${this.id} continues texts; the agent sent a conversation`);
    }
    const { name, baseUrl, apiKey, constrain } = this.#options;
    const { temperature, top_p, top_k, max_tokens, seed, stop, response_format } = decoding;
    const body = {
      model: name,
      prompt: prompt.text,
      n: 1,
      temperature,
      top_p,
      top_k,
      max_tokens,
      seed,
      stop,
      ...(replySchema === undefined
        ? {}
        : constrain?.(
            response_format === 'grammar' ? { grammar: grammarOf(replySchema) } : { json: replySchema },
          )),
    };
    const text = await this.#post(`${baseUrl.replace(/\/+$/, '')}/completions`, body, apiKey, signal);
    return toCompletion(text);
  }

  async #post(url: string, body: object, apiKey: string | null, signal: AbortSignal): Promise<string> {
    const headers = new Headers({ 'content-type': 'application/json' });
    if (apiKey !== null) headers.set('authorization', `Bearer ${apiKey}`);
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
    let response: Response;
    let text: string;
    try {
      response = await this.#options.fetch(url, init);
      text = await response.text();
    } catch (cause) {
      signal.throwIfAborted();
      throw readNetworkFailure(cause);
    }
    if (response.ok) return text;
    throw readFailure({ status: response.status, headers: Object.fromEntries(response.headers), body: text });
  }
}

function toCompletion(text: string): Completion {
  const read = answer.safeParse(parse(text));
  if (!read.success) throw unreadable(text, 200, 'not a response of /completions');
  const { choices, usage, model, system_fingerprint } = read.data;
  const [choice] = choices;
  return {
    parts: [{ kind: 'text', text: choice?.text ?? '' }],
    stop: STOPS[choice?.finish_reason ?? ''] ?? 'other',
    usage: {
      input: usage?.prompt_tokens ?? null,
      output: usage?.completion_tokens ?? null,
      cached_input: usage?.prompt_tokens_details?.cached_tokens ?? null,
      cache_write: null,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? null,
    },
    model: model ?? null,
    fingerprint: system_fingerprint ?? null,
    warnings: [],
  };
}

const STOPS: Readonly<Record<string, Completion['stop']>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content_filter',
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

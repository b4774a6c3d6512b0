import { z } from 'zod';
import type { vectorSearch } from '../../contracts/service.ts';

type EmbeddingModel = Pick<z.infer<typeof vectorSearch>, 'model' | 'base_url'>;

/** Environment variables, read by every process that requests embeddings. */
const KEY = 'ROOKERY_EMBEDDINGS_KEY';
const ADDRESS = 'ROOKERY_EMBEDDINGS_URL';

const LIMIT_MS = 60_000;
const reply = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
});

/**
 * Vectors of length 1, one for each text, from a service that is compatible with OpenAI's `/v1/embeddings`. Throws an
 * Error that says what the service did.
 */
export async function embed(
  { model, base_url }: EmbeddingModel,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const base = process.env[ADDRESS] || base_url;
  const key = process.env[KEY];
  const limit = AbortSignal.timeout(LIMIT_MS);
  const answer = await fetch(`${base.replace(/\/+$/, '')}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  }).catch((cause) => {
    signal?.throwIfAborted();
    throw new Error(`${base} does not answer`, { cause });
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${base} answers ${answer.status}: ${text.slice(0, 300)}`);
  const read = reply.safeParse(parsed(text));
  const vectors = read.success ? [...read.data.data].sort((a, b) => a.index - b.index) : [];
  if (vectors.length !== texts.length)
    throw new Error(`${base} does not answer with a vector for each text: ${text.slice(0, 300)}`);
  return vectors.map(({ embedding }) => unit(Float32Array.from(embedding)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Of vectors of length 1: their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

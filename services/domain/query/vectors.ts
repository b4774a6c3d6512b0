import { LRUCache } from 'lru-cache';
import { type Service, vectorTable } from '../../../contracts/service.ts';
import { cached, getOrInsert } from '../../base/concurrency.ts';
import { dot, embed } from '../../base/embeddings.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { quoted } from '../../base/sqlite/driver.ts';
import type { ServedDomain } from '../runtime.ts';

type VectorSearch = NonNullable<Service['vectors']>;

interface EmbeddedRow {
  readonly id: bigint | number;
  readonly vector: Float32Array;
}

/** By domain and collection: the vectors of its rows, read on first use. */
const rowsOf = cached((_: ServedDomain) => new Map<string, readonly EmbeddedRow[]>());
const asked = new LRUCache<string, Promise<Float32Array>>({ max: 1000 });

/**
 * Row ids of a collection by the cosine of their texts with the text searched for, the closest first, down to the least
 * similarity. Throws API_FAILED if the model does not answer.
 */
export async function nearestRows(
  { plain }: ServedDomain,
  search: VectorSearch,
  collection: string,
  text: string,
): Promise<readonly (bigint | number)[]> {
  const wanted = await vectorOf(search, text);
  return getOrInsert(rowsOf(plain), collection, () => readRows(plain, collection))
    .map(({ id, vector }) => ({ id, similarity: dot(vector, wanted) }))
    .filter(({ similarity }) => similarity >= search.similarity)
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

async function vectorOf(search: VectorSearch, text: string): Promise<Float32Array> {
  const key = `${search.base_url}\n${search.model}\n${text}`;
  try {
    return await getOrInsert(asked, key, () =>
      embed(search, [text]).then(([vector]) => vector as Float32Array),
    );
  } catch (cause) {
    asked.delete(key);
    throw new HttpProblem('API_FAILED', `No vector for search_query: ${(cause as Error).message}`, { cause });
  }
}

function readRows(domain: ServedDomain, collection: string): EmbeddedRow[] {
  const rows: EmbeddedRow[] = [];
  const statement = domain.connection().prepare(`SELECT id, vector FROM ${quoted(vectorTable(collection))}`);
  statement.each({}, ([id, blob]) => {
    // Copied, since a blob may begin at any byte.
    const bytes = Uint8Array.from(blob as Uint8Array);
    rows.push({ id: id as bigint | number, vector: new Float32Array(bytes.buffer) });
    return true;
  });
  return rows;
}

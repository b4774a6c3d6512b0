import { LRUCache } from 'lru-cache';

/** What an entry costs besides its texts: the map's slots and the objects. */
const ENTRY_BYTES = 300;

export interface CachedAnswer {
  readonly body: string;
  readonly etag: string;
}

/** Answers by address within a byte budget, least recently used out first. The data never change. */
export class AnswerCache {
  readonly #entries: LRUCache<string, CachedAnswer> | undefined;
  readonly #maxEntryBytes: number;
  hits = 0;
  misses = 0;

  /** A budget of 0 keeps nothing. */
  constructor(maxBytes: number) {
    // One answer may not push out everything else.
    this.#maxEntryBytes = Math.floor(maxBytes / 4);
    if (maxBytes > 0) this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
  }

  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  get(url: string): CachedAnswer | undefined {
    const entry = this.#entries?.get(url);
    if (entry) this.hits++;
    else this.misses++;
    return entry;
  }

  set(url: string, answer: CachedAnswer): void {
    if (sizeOf(answer, url) <= this.#maxEntryBytes) this.#entries?.set(url, answer);
  }
}

/** Upper bound: a string takes one or two bytes a character. */
function sizeOf(answer: CachedAnswer, url: string): number {
  return ENTRY_BYTES + 2 * (url.length + answer.body.length + answer.etag.length);
}

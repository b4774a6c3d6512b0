import type { OutgoingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Upstream } from '../../base/upstream/upstream.ts';

/** A service's whole answer, as it is sent again. */
export interface CachedResponse {
  readonly headers: OutgoingHttpHeaders;
  readonly etag: string;
  readonly body: Buffer;
}

interface Entry extends CachedResponse {
  /** The upstream's `generation` when it was given. */
  readonly generation: number;
}

/** What an entry costs besides its body and address: the map's slots and the objects. */
const ENTRY_BYTES = 1000;

/**
 * Answers by address, within a byte budget, the least recently used out first. A farm's data never change, so an
 * answer with an ETag holds as long as the service does: an entry counts only while the gateway is connected to the
 * very replicas that it was connected to when the answer came. When one goes or comes, all of its domain's are void:
 * a service that is down is seen to be down, and one that serves another farm is asked anew.
 */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry> | undefined;
  /** Bodies larger than this are not kept. */
  readonly maxBodyBytes: number;

  /** A budget of 0 keeps nothing. */
  constructor(maxBytes: number) {
    this.maxBodyBytes = Math.min(256 * 1024, Math.floor(maxBytes / 16));
    if (maxBytes > 0) this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
  }

  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  get(upstream: Upstream, url: string): CachedResponse | undefined {
    if (!upstream.connected) return undefined;
    const entry = this.#entries?.get(url);
    return entry?.generation === upstream.generation ? entry : undefined;
  }

  /** `generation` is the upstream's from before the request was sent. */
  set(generation: number, url: string, answer: CachedResponse): void {
    this.#entries?.set(url, { ...answer, generation });
  }
}

function sizeOf({ body }: Entry, url: string): number {
  return ENTRY_BYTES + url.length + body.length;
}

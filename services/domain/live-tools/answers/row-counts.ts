const MAX_COUNTS = 20_000;

/** Numbers of rows by handle; when there are too many the older half is forgotten. */
export class RowCounts {
  readonly #counts = new Map<string, number>();

  get(handle: string): number | undefined {
    return this.#counts.get(handle);
  }

  set(handle: string, rows: number): void {
    this.#counts.set(handle, rows);
    if (this.#counts.size <= MAX_COUNTS) return;
    let surplus = MAX_COUNTS / 2;
    for (const old of this.#counts.keys()) {
      if (surplus-- <= 0) break;
      this.#counts.delete(old);
    }
  }
}

/** The same counts as one caller may know them: how soon an answer comes must not tell what others have asked. */
export function countsOf(counts: RowCounts, caller: string): Pick<RowCounts, 'get' | 'set'> {
  return {
    get: (handle) => counts.get(`${caller} ${handle}`),
    set: (handle, rows) => counts.set(`${caller} ${handle}`, rows),
  };
}

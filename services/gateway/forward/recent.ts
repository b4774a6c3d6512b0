/**
 * The result of a costly lookup, shared by all callers while it is under way and for a short time after. A failure is
 * not kept.
 */
export class CachedLookup<T> {
  readonly #find: () => Promise<T>;
  readonly #keepMs: number;
  #known: Promise<T> | undefined;

  constructor(find: () => Promise<T>, keepMs: number) {
    this.#find = find;
    this.#keepMs = keepMs;
  }

  get(): Promise<T> {
    this.#known ??= this.#begin();
    return this.#known;
  }

  #begin(): Promise<T> {
    const finding = this.#find();
    const forget = () => {
      if (this.#known === finding) this.#known = undefined;
    };
    finding.then(() => setTimeout(forget, this.#keepMs).unref(), forget);
    return finding;
  }
}

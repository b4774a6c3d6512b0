/** Work waiting to be done, for whom. */
interface Waiting {
  readonly caller: string;
}

/** A queue in which callers take turns, however much each has put into it. */
export class FairQueue<Item extends Waiting> {
  /** In the order in which it is the callers' turn; none is empty. */
  readonly #byCaller = new Map<string, Item[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: Item): void {
    const own = this.#byCaller.get(item.caller);
    if (own) own.push(item);
    else this.#byCaller.set(item.caller, [item]);
    this.#length++;
  }

  /** The first item of the caller whose turn it is, of those that may have one. */
  shift(mayHave: (item: Item) => boolean = () => true): Item | undefined {
    for (const [caller, own] of this.#byCaller) {
      const [item] = own;
      if (!item || !mayHave(item)) continue;
      own.shift();
      this.#byCaller.delete(caller);
      if (own.length > 0) this.#byCaller.set(caller, own);
      this.#length--;
      return item;
    }
    return undefined;
  }

  /** How many items could be taken, where `room` says how many more a caller may have, asked with its first item. */
  takeable(room: (item: Item) => number): number {
    let sum = 0;
    for (const own of this.#byCaller.values()) sum += Math.min(own.length, Math.max(0, room(own[0] as Item)));
    return sum;
  }

  /** Takes an item out; false when it is not there. */
  remove(item: Item): boolean {
    const own = this.#byCaller.get(item.caller);
    const at = own?.indexOf(item) ?? -1;
    if (!own || at < 0) return false;
    own.splice(at, 1);
    if (own.length === 0) this.#byCaller.delete(item.caller);
    this.#length--;
    return true;
  }

  /** Removes and returns the newest item of the caller with most waiting, if that is more than `caller` would have with one more. */
  displace(caller: string): Item | undefined {
    let most: Item[] = [];
    for (const own of this.#byCaller.values()) if (own.length > most.length) most = own;
    const wanted = (this.#byCaller.get(caller)?.length ?? 0) + 1;
    const item = most.length > wanted ? most.at(-1) : undefined;
    if (item) this.remove(item);
    return item;
  }

  /** Everything, taken out. */
  clear(): Item[] {
    const all = [...this.#byCaller.values()].flat();
    this.#byCaller.clear();
    this.#length = 0;
    return all;
  }
}

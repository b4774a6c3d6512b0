/** Turns a list of numbers into decisions, so that a shorter list and smaller numbers make a simpler call. */
export class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  number(below: number): number {
    return (this.#numbers[this.#next++] ?? 0) % below;
  }

  of<T>(items: readonly T[]): T {
    return items[this.number(items.length)] as T;
  }

  /** True once in `n`. */
  seldom(n: number): boolean {
    return this.number(n) === n - 1;
  }
}

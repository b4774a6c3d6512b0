import type { Server } from 'node:net';

/** Of those in which a connection came. Never none: where each request has a connection of its own, there is no end to them. */
const TURNS_A_REQUEST = 8;

/**
 * Node accepts one connection in each turn of its event loop. When thousands come at once while others are at work, turns
 * are long, and who comes last waits for as many of them as there are connections before his. So while connections are
 * coming, a request is begun in few turns only, and the others wait, in their order.
 */
export class Backpressure {
  #isComing = false;
  #turns = 0;
  #isSet = false;
  readonly #waiting: (() => void)[] = [];

  /** Whether a request that has just come has to wait. */
  get isHeld(): boolean {
    return this.#isComing || this.#waiting.length > 0;
  }

  watch(server: Server): void {
    server.on('connection', () => {
      this.#isComing = true;
      this.#set();
    });
  }

  /** Calls back when it is a request's turn. */
  wait(begin: () => void): void {
    this.#waiting.push(begin);
    this.#set();
  }

  #set(): void {
    if (this.#isSet) return;
    this.#isSet = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isSet = false;
    const isTheirs = this.#isComing && ++this.#turns % TURNS_A_REQUEST !== 0;
    const count = isTheirs ? 0 : this.#isComing ? 1 : this.#waiting.length;
    this.#isComing = false;
    // Between this turn and the next a connection is accepted, if one waits.
    if (this.#waiting.length > count) this.#set();
    for (const begin of this.#waiting.splice(0, count)) begin();
  }
}

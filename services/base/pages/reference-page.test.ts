import { createContext, runInContext } from 'node:vm';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { serveDocs } from './reference-page.ts';

/** As much of an Immutable.js collection as the page's search uses. */
class Kept {
  readonly #entries: ReadonlyMap<unknown, unknown>;
  constructor(entries: Iterable<readonly [unknown, unknown]>) {
    this.#entries = new Map(entries);
  }
  get size() {
    return this.#entries.size;
  }
  get(key: unknown) {
    return this.#entries.get(key);
  }
  getIn([first, ...rest]: readonly unknown[]): unknown {
    const inner = this.get(first);
    return rest.length > 0 && inner instanceof Kept ? inner.getIn(rest) : inner;
  }
  map(change: (value: unknown, key: unknown) => unknown) {
    return new Kept([...this.#entries].map(([key, value]) => [key, change(value, key)]));
  }
  filter(keep: (value: unknown) => boolean) {
    return new Kept([...this.#entries].filter(([, value]) => keep(value)));
  }
  update(key: unknown, change: (value: unknown) => unknown) {
    return new Kept([...this.#entries, [key, change(this.get(key))]]);
  }
  keys() {
    return [...this.#entries.keys()];
  }
}
const record = (fields: Record<string, unknown>): Kept =>
  new Kept(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null && !(value instanceof Kept)
        ? record(value as Record<string, unknown>)
        : value,
    ]),
  );

async function startScript(): Promise<string> {
  const app = fastify();
  serveDocs(app, { titleOf: () => 'Films', names: () => [], hasOpenapi: () => true, hasOwnApi: true });
  const { body } = await app.inject('/docs/assets/swagger/start.js');
  await app.close();
  return body;
}

/** Runs the page's script and gives the options that Swagger UI is started with, and the classes of the page. */
async function started(dark: boolean) {
  const classes = new Set<string>();
  const options: { plugins: (() => { fn: { opsFilter(tags: Kept, phrase: string): Kept } })[] }[] = [];
  const page = {
    window: {
      matchMedia: () => ({ matches: dark, addEventListener: () => {} }),
      addEventListener: (_event: string, start: () => void) => start(),
    },
    document: {
      documentElement: {
        classList: { toggle: (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name)) },
      },
      body: { dataset: {} },
      getElementById: () => null,
    },
    SwaggerUIBundle: (given: (typeof options)[number]) => options.push(given),
  };
  runInContext(await startScript(), createContext(page));
  return { classes, search: options[0]?.plugins[0]?.().fn.opsFilter };
}

const operation = (path: string, summary: string) => record({ path, method: 'get', operation: { summary } });
const tags = record({
  film: record({
    operations: new Kept([
      [0, operation('/v1/a', 'Number of films of a studio')],
      [1, operation('/v1/b', 'Films with the longest title')],
    ]),
  }),
  studio: record({ operations: new Kept([[0, operation('/v1/c', 'Studios of a country')]]) }),
});

test('operations are found by all words of their summaries, paths and IDs; a tag brings all of its own', async () => {
  const { search } = await started(false);
  const found = (phrase: string) => {
    const kept = search?.(tags, phrase) ?? new Kept([]);
    return kept.keys().map((name) => {
      const operations = kept.getIn([name, 'operations']);
      return [name, operations instanceof Kept ? operations.size : 0];
    });
  };
  expect(found('number studio')).toEqual([['film', 1]]);
  expect(found('LONGEST')).toEqual([['film', 1]]);
  expect(found('film')).toEqual([['film', 2]]);
  expect(found('/v1/c')).toEqual([['studio', 1]]);
  expect(found('nothing of the kind')).toEqual([]);
});

test('the page is dark where the system is', async () => {
  expect((await started(true)).classes).toEqual(new Set(['dark-mode']));
  expect((await started(false)).classes).toEqual(new Set());
});

import type { Service } from '../../../contracts/service.ts';
import { Bm25 } from './bm25.ts';
import { columnStems, type ToolDocument } from './tool-document.ts';
import { stemsOf } from './words.ts';

const DOMAIN_FIELDS = { title: { weight: 3, length: 0.5 }, words: { weight: 1, length: 0.5 } };
const MOST_VALUES = 300;

/** Finds domains by words: those of their tables and columns, and of what their tools do. */
export class DomainIndex {
  readonly #domains: readonly string[];
  readonly #words: Bm25;

  constructor(services: readonly Service[], tools: readonly ToolDocument[]) {
    const summaries = new Map<string, string[]>();
    for (const { db, words } of tools) {
      const list = summaries.get(db) ?? [];
      list.push(...(words.summary ?? []));
      summaries.set(db, list);
    }
    this.#domains = services.map(({ db }) => db);
    this.#words = new Bm25(
      services.map(({ db, title, catalog }) => ({
        title: stemsOf(title),
        words: [
          ...catalog.tables.flatMap((table) => [
            ...stemsOf(`${table.name} ${table.friendly_name ?? ''}`),
            ...table.columns.flatMap((column) => [
              ...columnStems(column),
              ...stemsOf((column.value_description ?? '').slice(0, MOST_VALUES)),
            ]),
          ]),
          ...(summaries.get(db) ?? []),
        ],
      })),
      DOMAIN_FIELDS,
    );
  }

  /** By domain: how well it fits, as a share of the one that fits best. */
  scores(words: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    const scores = this.#words.scores(words);
    const best = scores.reduce((most, score) => Math.max(most, score), 0);
    return new Map(this.#domains.map((db, at) => [db, best === 0 ? 0 : (scores[at] ?? 0) / best]));
  }
}

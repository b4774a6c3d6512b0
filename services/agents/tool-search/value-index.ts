import type { Service } from '../../../contracts/service.ts';
import { plain } from './words.ts';

/** Values of columns that a question mentions. */
export interface Mentions {
  /** By column, `<db>/<table>.<column>` in small letters: how much the mention says for it. */
  readonly columns: ReadonlyMap<string, number>;
  /** By domain: how many values of it are mentioned, each shared with the other domains that have it. */
  readonly domains: ReadonlyMap<string, number>;
}

interface Value {
  readonly text: string;
  readonly columns: Set<string>;
  readonly domains: Set<string>;
}

const LONGEST_PHRASE = 8;
/** Values that are words of any question. */
const EVERYDAY = new Set(
  'the of in and is are no yes a to for by on at with all more than not other none new first last high low'.split(
    ' ',
  ),
);

/** The values of categorical columns, found in the words of a question. */
export class ValueIndex {
  readonly #values = new Map<string, Value>();

  constructor(services: readonly Service[]) {
    for (const { db, catalog } of services) {
      for (const table of catalog.tables) {
        for (const { name, values } of table.columns) {
          for (const value of values ?? []) this.#add(value, db, columnKey(db, table.name, name));
        }
      }
    }
  }

  /** The longest values that the question mentions; those within others are left out. */
  mentionsIn(question: string): Mentions {
    const words = phraseOf(question).split(' ');
    const found: { readonly from: number; readonly to: number; readonly value: Value }[] = [];
    for (let from = 0; from < words.length; from++) {
      for (let to = Math.min(words.length, from + LONGEST_PHRASE); to > from; to--) {
        const phrase = words.slice(from, to).join(' ');
        const value = this.#values.get(phrase);
        if (!value || EVERYDAY.has(phrase)) continue;
        // Short values are codes, which are written as they are.
        if (phrase.length < SHORT && !question.includes(value.text)) continue;
        found.push({ from, to, value });
      }
    }
    const longestFirst = found.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
    const kept: typeof found = [];
    for (const each of longestFirst) {
      const isWithin = kept.some(
        ({ from, to }) => from <= each.from && to >= each.to && to - from > each.to - each.from,
      );
      if (!isWithin) kept.push(each);
    }
    const columns = new Map<string, number>();
    const domains = new Map<string, number>();
    for (const { value } of kept) {
      const isWord = value.text === value.text.toLowerCase() && !question.includes(value.text);
      const weight = Math.log(1 + RARE / value.columns.size) * (isWord ? WORD : 1);
      for (const column of value.columns) columns.set(column, Math.max(columns.get(column) ?? 0, weight));
      for (const db of value.domains) domains.set(db, (domains.get(db) ?? 0) + 1 / value.domains.size);
    }
    return { columns, domains };
  }

  #add(text: string, db: string, column: string): void {
    const phrase = phraseOf(text);
    if (phrase.length < 2 || /^[\d.]+$/.test(phrase)) return;
    if (phrase.length < 3 && !/[A-Z]{2}/.test(text)) return;
    const value = this.#values.get(phrase) ?? { text, columns: new Set(), domains: new Set() };
    value.columns.add(column);
    value.domains.add(db);
    this.#values.set(phrase, value);
  }
}

const SHORT = 4;
/** A value that stands in this many columns says little for one of them. */
const RARE = 60;
/** What a value in small letters counts that may be a word of the question. */
const WORD = 0.6;

/** How mentions name a column. */
export function columnKey(db: string, table: string, column: string): string {
  return `${db}/${table}.${column}`.toLowerCase();
}

function phraseOf(text: string): string {
  return plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.%+#-]+/gu, ' ')
    .replace(/[.-](?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

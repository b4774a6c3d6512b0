import Database from 'better-sqlite3';
import type { Facet } from '../../contracts/catalog.ts';
import { searchWords } from '../../services/domain/query/compile-query.ts';

/** Forms of a word that the index does not distinguish. */
export interface WordFamily {
  /** Forms in the texts, in lower case, sorted. */
  readonly forms: readonly string[];
  /** Also forms that could occur: one letter shorter, or with an s. */
  readonly all: readonly string[];
  /** The share of rows with one of the forms. */
  readonly share: number;
  /** The places of the columns that have one of the forms. */
  readonly within: readonly number[];
}

const SAMPLED_ROWS = 5_000;
/** The share of rows that a word must be in to be worth a search. */
const RARE = 0.02;
const USUAL = 0.6;

/** Searchable words with their forms, sorted. The table and columns are SQL. */
export function wordFamilies(
  connection: Database.Database,
  from: string,
  columns: readonly string[],
): readonly WordFamily[] {
  const list = columns.map((column) => `CAST(${column} AS TEXT)`).join(', ');
  const rows = connection
    .prepare<[], (string | null)[]>(`SELECT ${list} FROM ${from} LIMIT ${SAMPLED_ROWS}`)
    .raw()
    .all();
  const rowsOf = new Map<string, Set<number>>();
  const columnsOf = new Map<string, Set<number>>();
  rows.forEach((cells, row) => {
    cells.forEach((cell, column) => {
      for (const token of tokensIn(cell === null ? [] : [cell])) {
        rowsOf.set(token, (rowsOf.get(token) ?? new Set()).add(row));
        columnsOf.set(token, (columnsOf.get(token) ?? new Set()).add(column));
      }
    });
  });
  const tokens = [...rowsOf.keys()].sort();
  return families(tokens).flatMap((all) => {
    const forms = all.filter((form) => rowsOf.has(form));
    const found = new Set(forms.flatMap((form) => [...(rowsOf.get(form) ?? [])]));
    const share = rows.length === 0 ? 0 : found.size / rows.length;
    const isUseful = found.size >= 2 && share >= RARE && share <= USUAL && forms.some(isSearchable);
    const within = [...new Set(forms.flatMap((form) => [...(columnsOf.get(form) ?? [])]))];
    return isUseful && all.every(isPlain) ? [{ forms, all, share, within }] : [];
  });
}

/** A word that only one facet has. */
export interface FacetWord {
  /** Its forms in the facet's terms (or phrases without terms), in lower case, sorted. */
  readonly forms: readonly string[];
  readonly facet: Facet;
}

/** Words by which a text can be searched for its subject, sorted. */
export function facetWords(facets: readonly Facet[]): readonly FacetWord[] {
  const facetsOf = new Map<string, Set<Facet>>();
  for (const facet of facets) {
    for (const token of tokensIn([...facet.phrases, ...facet.terms])) {
      facetsOf.set(token, (facetsOf.get(token) ?? new Set()).add(facet));
    }
  }
  return families([...facetsOf.keys()].sort()).flatMap((all) => {
    const [facet, ...others] = new Set(all.flatMap((form) => [...(facetsOf.get(form) ?? [])]));
    if (!facet || others.length > 0) return [];
    const searched = new Set(tokensIn(facet.terms.length > 0 ? facet.terms : facet.phrases));
    const forms = all.filter((form) => searched.has(form));
    return forms.some(isSearchable) ? [{ forms, facet }] : [];
  });
}

function tokensIn(texts: readonly string[]): readonly string[] {
  return (
    texts
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

/** Whether people would search for the word. */
export function isSearchable(form: string): boolean {
  return /^(?!null$)[a-z]{4,}$/.test(form) && searchWords(form) !== null;
}

/** Whether a LIKE pattern finds the word as the accent-free index does. */
function isPlain(form: string): boolean {
  return /^[a-z0-9]+$/.test(form);
}

/** The words and their inflections, grouped by the index's own stemmer. */
function families(words: readonly string[]): string[][] {
  const near = words.flatMap((word) => [word, `${word}s`, ...(word.length > 3 ? [word.slice(0, -1)] : [])]);
  const tokens = [...new Set(near)].sort();
  const db = new Database(':memory:');
  try {
    db.exec(`CREATE VIRTUAL TABLE word USING fts5(text, tokenize='porter unicode61 remove_diacritics 2');
      CREATE VIRTUAL TABLE stem USING fts5vocab(word, instance);`);
    const insert = db.prepare('INSERT INTO word (rowid, text) VALUES (?, ?)');
    db.transaction(() => {
      tokens.forEach((token, i) => {
        insert.run(i + 1, token);
      });
    })();
    const stems = db
      .prepare<[], [string, number]>('SELECT term, doc FROM stem ORDER BY term, doc')
      .raw()
      .all();
    const byStem = new Map<string, string[]>();
    for (const [stem, place] of stems) {
      const token = tokens[place - 1] ?? '';
      byStem.set(stem, [...(byStem.get(stem) ?? []), token]);
    }
    return [...byStem.values()];
  } finally {
    db.close();
  }
}

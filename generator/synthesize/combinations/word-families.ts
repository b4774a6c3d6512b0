import Database from 'better-sqlite3';
import type { Facet } from '../../../contracts/catalog.ts';
import { searchWords } from '../../../services/domain/query-tool/search-words.ts';

/** The forms of a word in a table's texts that a search takes for one. */
export interface WordFamily {
  /** Forms that stand in the texts, in lower case, sorted. */
  readonly forms: readonly string[];
  /** These, and such as could stand there as well: one letter shorter, or with an s. */
  readonly all: readonly string[];
  /** The share of the rows that have one of the forms. */
  readonly share: number;
}

const SAMPLED_ROWS = 5_000;
/** Shares of the rows that a word may be in to be worth searching for. */
const RARE = 0.02;
const USUAL = 0.6;

/**
 * Words of a table that can be searched for, each with its forms, sorted by them. Those are one word that the index takes
 * for one. What is behind FROM, and the columns, are SQL.
 */
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
  rows.forEach((cells, row) => {
    for (const token of cells.flatMap((cell) => cell?.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])) {
      rowsOf.set(token, (rowsOf.get(token) ?? new Set()).add(row));
    }
  });
  const tokens = [...rowsOf.keys()].sort();
  return families(tokens).flatMap((all) => {
    const forms = all.filter((form) => rowsOf.has(form));
    const found = new Set(forms.flatMap((form) => [...(rowsOf.get(form) ?? [])]));
    const share = rows.length === 0 ? 0 : found.size / rows.length;
    const isUseful = found.size >= 2 && share >= RARE && share <= USUAL && forms.some(isAsked);
    return isUseful && all.every(isPlain) ? [{ forms, all, share }] : [];
  });
}

/** A word that tells one facet from all others. */
export interface FacetWord {
  /** Its forms among the facet's terms; among its phrases where it has no terms. In lower case, sorted. */
  readonly forms: readonly string[];
  readonly facet: Facet;
}

/** Words by which a text can be searched for what it is about, sorted. */
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
    return forms.some(isAsked) ? [{ forms, facet }] : [];
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

/** Whether people would search for a form of a word. */
export function isAsked(form: string): boolean {
  return /^[a-z]{4,}$/.test(form) && searchWords(form) !== null;
}

/** Whether a pattern of SQL finds it as the index does, whose words have no accents. */
function isPlain(form: string): boolean {
  return /^[a-z0-9]+$/.test(form);
}

/** Words that the index's own stemmer makes one, together with neighbours of theirs that it takes for the same. */
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

import { quoteText, type Token, tokenize } from '../../sql/index.ts';
import { editText } from './edit-text.ts';

/** Prepares SQL: null when SQLite accepts it, else its complaint. */
export type TryPrepare = (sql: string) => string | null;

/**
 * The SQL with each `"text"` that names no column written as a string, as SQLite itself reads it where that
 * is allowed: SQLite says which ones, so no resolution of names is ours. For databases too large to be read
 * into memory. When SQLite complains of something else the SQL comes back as far as it got.
 */
export function requote(sql: string, tryPrepare: TryPrepare): string {
  const doubtful = new Set(tokenize(sql).filter(({ quote }) => quote === '"'));
  const strings = new Set<Token>();
  const written = (those: ReadonlySet<Token>) =>
    editText(
      sql,
      [...those].map(({ start, end, text }) => ({ start, end, text: quoteText(text) })),
    );
  /** Whether SQLite, everything else it complains of being out of the way, complains of this one. */
  const isComplainedOf = (token: Token, away: Set<Token>): boolean => {
    for (;;) {
      const name = unknownName(tryPrepare(written(away)));
      if (name === null || name === token.text) return name !== null;
      const more = [...doubtful].filter(({ text }) => text === name);
      if (more.length === 0) return false;
      for (const each of more) away.add(each);
    }
  };
  for (;;) {
    const name = unknownName(tryPrepare(written(strings)));
    const alike = [...doubtful].filter(({ text }) => text === name);
    if (name === null || alike.length === 0) return written(strings);
    for (const token of alike) {
      const namesakes = alike.filter((each) => each !== token);
      if (isComplainedOf(token, new Set([...strings, ...namesakes]))) strings.add(token);
    }
    for (const token of alike) doubtful.delete(token);
  }
}

function unknownName(complaint: string | null): string | null {
  return /^no such column: "([\s\S]*)" - should this be a string literal/.exec(complaint ?? '')?.[1] ?? null;
}

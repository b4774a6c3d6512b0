import { tokenize } from '../../sql/index.ts';

/** Functions whose value is not a matter of the data: chance, the connection, or SQLite's own version. */
const FUNCTIONS = new Set([
  'RANDOM',
  'RANDOMBLOB',
  'CHANGES',
  'TOTAL_CHANGES',
  'LAST_INSERT_ROWID',
  'SQLITE_VERSION',
  'SQLITE_SOURCE_ID',
  'SQLITE_COMPILEOPTION_USED',
  'SQLITE_COMPILEOPTION_GET',
  'SQLITE_OFFSET',
]);

/** The name of the first function called in the SQL that gives no repeatable value, as written, or null. */
export function nondeterministicFunction(sql: string): string | null {
  const tokens = tokenize(sql);
  const found = tokens.find(
    (token, i) => token.kind === 'word' && FUNCTIONS.has(token.upper) && tokens[i + 1]?.text === '(',
  );
  return found?.text ?? null;
}

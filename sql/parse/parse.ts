import 'sqlglot-ts/dialects/sqlite';
import { Dialect, type Parser, TokenType } from 'sqlglot-ts';
import { SQLiteParser } from 'sqlglot-ts/dialects/sqlite';
import { DPipe, type Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../contracts/errors.ts';
import type { Carrier } from './carrier.ts';

/** In SQLite `||` binds tighter than arithmetic; sqlglot has it beside `+`. */
class ExactParser extends SQLiteParser {
  static override TERM = new Map([...SQLiteParser.TERM].filter(([type]) => type !== TokenType.DPIPE));
  static override EXPONENT = new Map([[TokenType.DPIPE, DPipe]]);
}

class ExactDialect extends Dialect {
  static override readonly name: string = 'sqlite-exact';
  protected static override ParserClass: typeof Parser = ExactParser;
}

Dialect.register(ExactDialect);

/** Parses a carrier's text into sqlglot's tree; throws SQL_NOT_PARSED. */
export function parseCarrier(carrier: Carrier): Expression {
  try {
    return Dialect.getOrThrow('sqlite-exact').parseOne(carrier.text);
  } catch (error) {
    throw new QueryError(
      'SQL_NOT_PARSED',
      error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
    );
  }
}

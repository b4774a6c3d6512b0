import type { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../contracts/errors.ts';
import type { Carrier } from './carrier.ts';
import type { Token } from './tokenize.ts';
import { textOf } from './tree.ts';

/** A name read back from its carrier. */
export interface CarriedName {
  readonly name: string;
  /** Written in double quotes: SQLite treats it as a string if it names nothing. */
  readonly doubleQuoted: boolean;
  readonly token: Token;
}

/** Reads an identifier node `i<n>:name` or `d<n>:name` back. */
export function readName(carrier: Carrier, identifier: Expression): CarriedName {
  const found = /^([id])(\d+):/.exec(textOf(identifier, 'this'));
  const token = carrier.tokens[Number(found?.[2])];
  if (!found || !token) throw new QueryError('SQL_NOT_PARSED', 'a name was expected', identifier.sql());
  return { name: token.text, doubleQuoted: found[1] === 'd', token };
}

/** Reads the token that a number node stands for. */
export function readToken(carrier: Carrier, literal: Expression): Token {
  const token = carrier.tokens[Number(textOf(literal, 'this'))];
  if (!token) throw new QueryError('SQL_NOT_PARSED', 'a literal was expected', literal.sql());
  return token;
}

/** The lower-case name of a carried function node, or null for any other node. */
export function readFunction(node: Expression): string | null {
  if (node.key !== 'anonymous') return null;
  const name = textOf(node, 'this');
  return name.startsWith('f_') ? name.slice(2) : null;
}

import { QueryError } from '../../contracts/errors.ts';
import { blobLiteral, integerLiteral, realLiteral, textLiteral } from '../ir/build.ts';
import type { Literal } from '../ir/nodes.ts';
import type { Token } from '../parse/tokenize.ts';

const MAX_INTEGER = 2n ** 63n - 1n;

/** The literal of a token. */
export function bindLiteral(token: Token): Literal {
  const span = { start: token.start, end: token.end };
  switch (token.kind) {
    case 'string':
    case 'quoted':
      return textLiteral(token.text, span);
    case 'blob':
      return blobLiteral(token.text, span);
    case 'number': {
      const digits = token.text.replaceAll('_', '');
      if (/^0x/i.test(digits)) return integerLiteral(BigInt.asIntN(64, BigInt(digits)), span);
      if (!/^\d+$/.test(digits)) return realLiteral(digits, span);
      const value = BigInt(digits);
      return value <= MAX_INTEGER ? integerLiteral(value, span) : realLiteral(digits, span);
    }
    default:
      throw new QueryError('SQL_NOT_PARSED', 'a literal was expected', token.text);
  }
}

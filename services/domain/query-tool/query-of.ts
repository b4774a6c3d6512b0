import { QueryTextError } from '../../../contracts/query-text/query-text-error.ts';
import { readQueryText } from '../../../contracts/query-text/read-query-text.ts';
import { QUERY_TEXT } from '../../../contracts/query-variants.ts';
import { fieldError } from '../../base/arguments/argument-error.ts';

/**
 * The arguments that a body stands for: those of its query text where it has one, else its own. Throws ArgumentError
 * with the place where a query text cannot be read.
 */
export function queryOf(body: object): object {
  if (!(QUERY_TEXT in body)) return body;
  const { [QUERY_TEXT]: text, ...others } = body;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    const message = `${QUERY_TEXT} holds the whole query: ${other} cannot stand beside it`;
    throw fieldError(other, 'unknown_parameter', message);
  }
  if (typeof text !== 'string') throw fieldError(QUERY_TEXT, 'wrong_type', `${QUERY_TEXT} must be a text`);
  try {
    return readQueryText(text);
  } catch (error) {
    if (error instanceof QueryTextError) throw fieldError(QUERY_TEXT, 'wrong_type', error.message);
    throw error;
  }
}

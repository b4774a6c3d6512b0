import { parseExactJson } from '../../contracts/exact-json.ts';
import { restAnswer } from '../../contracts/service.ts';
import type { Row } from '../../contracts/value.ts';

/**
 * The rows of a REST answer, given as its text, columns in the order of the text: a JavaScript object would put keys
 * that look like numbers first. null for what is no such answer.
 */
export function restRows(text: string): Row[] | null {
  // Outside of strings nothing else looks like a key, and inside of them a quote has a backslash before it.
  const ordered = text.replace(/([{,])"(\d+)":/g, '$1" $2":');
  try {
    const read = restAnswer.safeParse(parseExactJson(ordered));
    return read.success ? read.data.data.map((row) => Object.values(row)) : null;
  } catch {
    return null;
  }
}

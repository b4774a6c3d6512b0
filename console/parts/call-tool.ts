import { RookeryError } from '../../client/index.ts';
import { parseToShow } from '../exact-json.ts';
import { farm } from '../farm.ts';

/** What a SLOT or SEL tool answers, with all digits of its numbers. Throws RookeryError. */
export async function callTool<T>(path: string, args: unknown): Promise<T> {
  const answer = await farm().send(path, { method: 'POST', body: JSON.stringify(args) });
  const text = await answer.text();
  if (!answer.ok) throw RookeryError.of(answer.status, text);
  return parseToShow(text) as T;
}

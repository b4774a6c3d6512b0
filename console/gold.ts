import { RookeryError, type ServedGold } from '../client/index.ts';
import { parseToShow } from './exact-json.ts';
import { farm } from './farm.ts';

/** The gold of a task, with all digits of its numbers. Throws RookeryError. */
export async function goldOf(sampleId: string): Promise<ServedGold> {
  const path = sampleId.split('/').map(encodeURIComponent).join('/');
  const answer = await farm().send(`/tasks/${path}/gold`);
  const text = await answer.text();
  if (!answer.ok) throw RookeryError.of(answer.status, text);
  return parseToShow(text) as ServedGold;
}

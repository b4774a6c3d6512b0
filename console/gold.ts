import type { ServedGold } from '../client/index.ts';
import { exactJson } from './farm.ts';

/** The gold of a task, with all digits of its numbers. Throws RookeryError. */
export function goldOf(sampleId: string): Promise<ServedGold> {
  return exactJson(`/tasks/${sampleId.split('/').map(encodeURIComponent).join('/')}/gold`);
}

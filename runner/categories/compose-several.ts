import type { Composer } from './composer.ts';
import { drawGroups } from './draw-groups.ts';
import { differInTool } from './take.ts';
import { numberedRequest, toRunTask } from './to-run-task.ts';

/** One call each of two or three endpoints of a domain, in one request. */
export const composeSeveral: Composer = async function* (candidates, _, seed) {
  const options = { seed, scope: 'parallel_multiple', sizes: [2, 3], fits: differInTool } as const;
  for (const members of drawGroups(candidates, options)) {
    const questions = members.map(({ task }) => task.question);
    yield toRunTask('parallel_multiple', members, numberedRequest(questions), {
      parts: members.map(({ task, tool }) => ({ sample_id: task.sample_id, tool })),
      turns: null,
      missing: null,
    });
  }
};

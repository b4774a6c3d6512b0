import type { Composer } from './composer.ts';
import { drawGroups } from './draw-groups.ts';
import { fitTogether } from './take.ts';
import { numberedRequest, toRunTask } from './to-run-task.ts';

/** Two or three questions in one request: of as many endpoints of a domain, or of one start table. */
export const composeSeveral: Composer = async function* (candidates, _, seed) {
  const options = { seed, scope: 'parallel_multiple', sizes: [2, 3], fits: fitTogether } as const;
  for (const members of drawGroups(candidates, options)) {
    const questions = members.map(({ task }) => task.question);
    yield toRunTask('parallel_multiple', members, numberedRequest(questions), {
      parts: members.map(({ task, tools }) => ({ sample_id: task.sample_id, tools })),
      turns: null,
      missing: null,
    });
  }
};

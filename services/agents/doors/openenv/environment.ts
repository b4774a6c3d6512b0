import type { z } from 'zod';
import { taskSelection } from '../../../../contracts/task-selection.ts';
import { checked } from '../../../base/http/checked.ts';
import { readJson } from '../../../base/http/json-text.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import type { BackendAnswer } from '../../backend/backend.ts';
import { problemCode, readProblem } from '../../backend/problem-answer.ts';
import { guardBand } from '../../planes/guard-band.ts';
import { type Episodes, episodeRequest } from '../episodes.ts';
import { action, type callObservation, type Observed, resetRequest } from './openenv-messages.ts';

/** For whom an environment works: rewards are for whoever leads the training. */
export interface Player {
  readonly isHarness: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Begins an episode. Throws UNKNOWN_TASK, INVALID_PARAMETERS, HARNESS_ONLY. */
export async function reset(
  episodes: Episodes,
  given: unknown,
  player: Player,
): Promise<{ id: string; observed: Observed }> {
  const { sample_id, seed, select, episode } = checked(resetRequest, given);
  guardBand(player, select);
  const selection = select ?? taskSelection.parse({});
  const chosen = sample_id ?? (await taskOf(episodes, selection, seed ?? 0));
  const wanted = checked(episodeRequest, { ...episode, sample_id: chosen });
  const { run_id } = await episodes.begin(wanted, player);
  const observation = {
    episode_id: run_id,
    sample_id: chosen,
    prompt: await episodes.prompt(run_id),
    tools: await listed(episodes, run_id),
  };
  return { id: run_id, observed: { observation, reward: null, done: false } };
}

/** Takes an action in an episode. Throws UNKNOWN_RUN, INVALID_PARAMETERS. */
export async function step(
  episodes: Episodes,
  id: string,
  given: unknown,
  { isHarness, headers }: Player,
): Promise<Observed> {
  const parsed = action.safeParse(given);
  if (!parsed.success) {
    const message = `action: ${parsed.error.issues[0]?.message ?? 'cannot be read'}`;
    throw new HttpProblem('INVALID_PARAMETERS', message, {
      errors: [{ field: 'action', code: 'wrong_type', message }],
    });
  }
  if (parsed.data.type === 'list_tools') {
    return { observation: { tools: await listed(episodes, id) }, reward: null, done: false };
  }
  const { tool_name: name, arguments: args } = parsed.data;
  const { answer, isOver } = await episodes.step(id, { name, arguments: args, headers });
  const reward = isOver && isHarness ? await episodes.reward(id) : null;
  return { observation: callOf(name, answer), reward: reward?.reward ?? null, done: isOver };
}

/** How far an episode is. Throws UNKNOWN_RUN. */
export async function stateOf(episodes: Episodes, id: string) {
  const { sample_id, status } = await episodes.run(id);
  return { episode_id: id, step_count: await episodes.steps(id), sample_id, status };
}

export async function listed(episodes: Episodes, id: string) {
  const tools = await episodes.tools(id);
  return tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
}

/** The task at a place of a selection's stream. Throws INVALID_PARAMETERS where nothing is selected. */
async function taskOf(
  episodes: Episodes,
  selection: z.output<typeof taskSelection>,
  place: number,
): Promise<string> {
  const { sample: _one, from: _place, ...rest } = selection;
  const all = await episodes.tasks(rest);
  const [task] =
    all.length === 0 ? [] : await episodes.tasks({ ...rest, sample: 1, from: place % all.length });
  if (task) return task.sample_id;
  throw new HttpProblem('INVALID_PARAMETERS', 'no task is selected', {
    errors: [{ field: 'select', code: 'empty', message: 'no task is selected' }],
  });
}

function callOf(tool_name: string, answer: BackendAnswer): z.infer<typeof callObservation> {
  if (answer.status < 400) return { tool_name, result: readAnswer(answer.body), error: null };
  const message = readProblem(answer.body) ? answer.body : `the tool answered ${answer.status}`;
  return { tool_name, result: null, error: { error_type: errorType(answer), message } };
}

/** A text that was made unreadable on purpose stays one. */
function readAnswer(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

function errorType(answer: BackendAnswer) {
  const code = problemCode(answer);
  if (code === 'UNKNOWN_TOOL') return 'tool_not_found';
  if (answer.status === 504) return 'timeout';
  if (answer.status >= 500) return 'transport_error';
  return answer.status === 400 ? 'invalid_args' : 'execution_error';
}

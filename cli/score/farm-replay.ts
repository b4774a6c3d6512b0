import { parseExactJson, printExactJson } from '../../contracts/exact-json.ts';
import { addressOf, bodyText } from '../../contracts/formulations/call-request.ts';
import { FORMULATIONS } from '../../contracts/formulations/registry.ts';
import type { ReplayContext } from '../../contracts/formulations/replay.ts';
import { startCalls } from '../../contracts/formulations/start-calls.ts';
import { problem } from '../../contracts/problem.ts';
import type { Service } from '../../contracts/service.ts';
import { atShare } from '../../contracts/share.ts';
import type { Replay } from '../../eval/score/replay.ts';
import type { buildApp } from '../../services/index.ts';

type App = Awaited<ReturnType<typeof buildApp>>;
type Send = ReplayContext['send'];

/** Only the result of the calls matters. */
const NO_PREVIEW = { preview: '0' };

/**
 * Replays calls in-process, through the app that would serve them, as their formulation says. A call that fails is left
 * out, and so are calls that refer to it. Start tables are made once for all samples that use them.
 */
export function farmReplay(app: App, services: readonly Service[]): Replay {
  const byDomain = new Map(services.map((service) => [service.db, service]));
  const made = new Map<string, ReturnType<Send>>();

  return async (sample, calls) => {
    const domain = byDomain.get(sample.dataset_name);
    if (!domain) return { error: `The farm has no domain ${sample.dataset_name}.` };
    const service = atShare(domain, sample.plan);
    const starts = startCalls(sample.initialization_step);
    const send: Send = (request, call) => {
      if (!starts.includes(call)) return sendTo(app, request, call);
      const key = `${request.path} ${printExactJson(request.body)}`;
      const known = made.get(key) ?? sendTo(app, request, call);
      made.set(key, known);
      return known;
    };
    const contract = FORMULATIONS[sample.formulation];
    const view = contract.calls === 'chain' ? { view: () => NO_PREVIEW } : {};
    const replayed = await contract.replay(service, calls, { send, starts, ...view });
    const { rows, failure, ...seen } = replayed;
    return rows ? { rows, ...seen } : { error: failure ?? 'The calls answer no rows.', ...seen };
  };
}

async function sendTo(
  app: App,
  request: Parameters<Send>[0],
  { name }: Parameters<Send>[1],
): ReturnType<Send> {
  const text = bodyText(request);
  const response = await app.inject({
    method: request.method,
    url: addressOf(request),
    ...(text === undefined ? {} : { payload: text, headers: { 'content-type': 'application/json' } }),
  });
  return response.statusCode === 200
    ? { body: parseExactJson(response.body) }
    : { failure: failureOf(name, response) };
}

/** The service's error; an internal one is thrown, since it is not the agent's fault. */
function failureOf(name: string, response: { statusCode: number; json(): unknown; body: string }): string {
  const read = problem.safeParse(readBody(response));
  const detail = read.success ? read.data.detail : response.body.slice(0, 200);
  const message = `${name}: ${response.statusCode} ${detail}`;
  if (response.statusCode >= 500 && response.statusCode !== 504) throw new Error(message);
  return message;
}

function readBody(response: { json(): unknown }): unknown {
  try {
    return response.json();
  } catch {
    return null;
  }
}

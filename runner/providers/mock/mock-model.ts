import { setTimeout as sleep } from 'node:timers/promises';
import { mapReferences } from '../../../contracts/assemble-answer.ts';
import { UserError } from '../../../contracts/errors.ts';
import type { Call } from '../../../contracts/sample.ts';
import type { AssistantPart } from '../../model/message.ts';
import type { Completion, Model, ModelRequest } from '../../model/model.ts';
import { ModelError } from '../../model/model-error.ts';
import { Seeded } from '../../seeded.ts';
import { type GoldTask, goldReply, type KnownGold } from './gold-reply.ts';

/** The gold of a sample, for models that know it. Throws OPTION_INVALID where the runner has no farm folder. */
export type FindGold = (sampleId: string) => KnownGold;

type Script = (request: ModelRequest, gold: FindGold) => AssistantPart[] | Promise<AssistantPart[]>;

/**
 * Models that follow a script, for tests and demos: `gold` makes no mistake, `silent` says nothing, `malformed` breaks
 * off its JSON, `loops` makes one call for ever, `slow` is gold after 200 ms, `flaky` is gold but for errors, `half` is
 * gold for every other sample.
 */
const SCRIPTS: Readonly<Record<string, Script>> = {
  gold: playGold,
  silent: () => [],
  malformed: (request, gold) => playGold(request, gold).map(breakOff),
  loops: (request) => {
    const [tool] = request.tools;
    if (tool !== undefined) return [{ kind: 'call', id: 'again', name: tool.name, arguments: '{}' }];
    return [{ kind: 'text', text: ' Again.\nAction: again\nAction Input: {}' }];
  },
  slow: async (request, gold) => {
    await sleep(200);
    return playGold(request, gold);
  },
  flaky: (request, gold) => {
    // By chance rather than by seed: an error that comes back for every repetition would be no passing one.
    if (Math.random() < 0.2)
      throw new ModelError('rate_limit', 'too many requests', { status: 429, retryAfterMs: 20 });
    return playGold(request, gold);
  },
  half: (request, gold) => {
    const { sampleId } = request.origin;
    return new Seeded(1, sampleId).integer(2) === 0
      ? playGold(request, gold)
      : [{ kind: 'text', text: 'No.' }];
  },
};

function playGold(request: ModelRequest, gold: FindGold): AssistantPart[] {
  const { due, format, offeredCall } = request.origin;
  const tasks = due.map(({ sample_id, arguments: args }): GoldTask => {
    const task = gold(sample_id);
    const { output } = task.sample;
    const made = args === undefined ? output : output.map((call) => ({ ...call, arguments: args }));
    const calls = made.map((call) => ({ ...call, ...offeredCall(call) }));
    return { ...task, calls };
  });
  const [first] = tasks;
  if (first === undefined) return [{ kind: 'text', text: format === 'react' ? NO_ANSWER : 'Nothing fits.' }];
  return goldReply(tasks.length === 1 ? first : together(first, tasks), request, format);
}

/** Several samples as one: labels of different ones stay apart. */
function together(first: GoldTask, tasks: readonly GoldTask[]): GoldTask {
  const parts = tasks.map(({ sample, calls, starts }, n) => {
    const own = new Map(
      calls.flatMap(({ label }) => (label === undefined ? [] : [[label, `${label}_${n}`]])),
    );
    const renamed = calls.map(({ label, ...call }): Call => {
      const args = mapReferences(call.arguments, (name) => {
        const other = starts.has(name) ? undefined : own.get(name);
        return other === undefined ? undefined : `$${other}$`;
      });
      const named = label === undefined ? {} : { label: own.get(label) ?? label };
      return { ...call, arguments: { ...Object(args) }, ...named };
    });
    return { sample, calls: renamed };
  });
  return { ...first, calls: parts.flatMap(({ calls }) => calls), parts };
}

const NO_ANSWER = ' No tool fits.\nFinal Answer: none';

function breakOff(part: AssistantPart): AssistantPart {
  if (part.kind === 'call') return { ...part, arguments: part.arguments.slice(0, -1) };
  return { ...part, text: part.text.slice(0, Math.floor(part.text.length / 2)) };
}

/** `mock/<script>`. Throws MODEL_UNKNOWN for a script that is not known. */
export function mockModel(name: string, transport: 'chat' | 'completions', gold: FindGold): Model {
  const script = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined;
  if (script === undefined) {
    throw new UserError(
      'MODEL_UNKNOWN',
      '--model',
      `there is no mock/${name}; give one of ${Object.keys(SCRIPTS).join(', ')}`,
    );
  }
  return {
    id: `mock/${name}`,
    transport,
    async complete(request, signal): Promise<Completion> {
      signal.throwIfAborted();
      const parts = await script(request, gold);
      const calls = parts.some(({ kind }) => kind === 'call');
      return {
        parts,
        stop: calls ? 'calls' : 'stop',
        usage: {
          input: tokens(JSON.stringify(request.prompt)),
          output: tokens(JSON.stringify(parts)),
          cached_input: 0,
          cache_write: 0,
          reasoning: 0,
        },
        model: `mock/${name}`,
        fingerprint: null,
        warnings: [],
      };
    },
  };
}

/** About four characters make a token. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

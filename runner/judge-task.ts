import { z } from 'zod';
import type { CompletionClient } from './attempt/model-session.ts';
import { lastJson } from './attempt/read-json.ts';
import { textOf } from './models/model.ts';
import { Seeded } from './seeded.ts';

export interface JudgedTask {
  readonly sampleId: string;
  readonly question: string;
  /** The tools, as shown to the models. */
  readonly tools: string;
  /** Each model's calls as text; null for none. */
  readonly calls: readonly (string | null)[];
}

export interface JudgedRanks {
  /** Mean rank of each model over both orders; 1 is the best. */
  readonly ranks: readonly number[];
  /** Mean rank of the first proposal in both orders, minus the mean rank: negative if being first is an advantage. */
  readonly firstGains: number;
}

const SYSTEM =
  'You judge which of several proposed calls of a tool best answers a question. Look at whether collection, search, filters, ' +
  'aggregations and group are those that the question needs, no more and no less. Reply with a JSON object: "why", one ' +
  'sentence, and "ranks", an object with a number for each letter, 1 for the best. Proposals that are equally good have ' +
  'the same number.';

const reply = z.object({ ranks: z.record(z.string(), z.coerce.number().min(1)) });

/**
 * Asks a model to rank what several models proposed for a task. Proposals are anonymous; equal calls are
 * shown once; it ranks twice, in an order drawn by the seed and in its reverse. null if a reply could not be
 * read.
 */
export async function judgeTask(
  task: JudgedTask,
  { obtain, seed, signal }: { obtain: CompletionClient; seed: number; signal: AbortSignal },
): Promise<JudgedRanks | null> {
  const distinct = [...new Set(task.calls)];
  if (distinct.length === 1) return { ranks: task.calls.map(() => 1), firstGains: 0 };
  const drawn = new Seeded(seed, `judge ${task.sampleId}`).shuffle(distinct);
  const votes: { readonly rankOf: ReadonlyMap<string | null, number>; readonly first: number }[] = [];
  for (const [turn, order] of [drawn, [...drawn].reverse()].entries()) {
    const completion = await obtain(
      {
        prompt: {
          messages: [
            { role: 'system', text: SYSTEM },
            { role: 'user', text: questionText(task, order) },
          ],
        },
        tools: [],
        decoding: { response_format: 'json' },
        origin: {
          sampleId: task.sampleId,
          epoch: 1,
          turn,
          format: 'json_list',
          due: [],
          offeredCall: (call) => call,
        },
      },
      signal,
    );
    const ranks = readRanks(textOf(completion.completion), order.length);
    if (ranks === null) return null;
    votes.push({ rankOf: new Map(order.map((calls, i) => [calls, ranks[i] ?? 0])), first: ranks[0] ?? 0 });
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const ranks = task.calls.map((calls) => mean(votes.map(({ rankOf }) => rankOf.get(calls) ?? 0)));
  const usual = mean(votes.flatMap(({ rankOf }) => [...rankOf.values()]));
  return { ranks, firstGains: mean(votes.map(({ first }) => first)) - usual };
}

function questionText({ question, tools }: JudgedTask, order: readonly (string | null)[]): string {
  const proposals = order.map((calls, i) => `${letter(i)}: ${calls ?? '(no call)'}`);
  return `Tools:\n${tools}\n\nQuestion: ${question}\n\n${proposals.join('\n')}`;
}

function letter(i: number): string {
  return String.fromCharCode(65 + i);
}

/** The rank of each proposal, in the order shown; null if the reply does not rank all. */
function readRanks(text: string, count: number): number[] | null {
  const read = reply.safeParse(plain(lastJson(text)));
  if (!read.success) return null;
  const ranks = Array.from({ length: count }, (_, i) => read.data.ranks[letter(i)]);
  return ranks.every((rank) => rank !== undefined) ? (ranks as number[]) : null;
}

/** Converts LosslessNumbers, whose source text is irrelevant here. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, (_, inner) => numberOr(inner)));
}

function numberOr(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'isLosslessNumber' in value ? Number(value) : value;
}

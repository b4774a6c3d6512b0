import { z } from 'zod';
import { row } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import { writeFacts } from '../../contracts/records.ts';
import type { Service } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import { PrivateCopy } from '../../services/base/sqlite/private-copy.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { playRecords } from '../../services/domain/records/play-records.ts';
import { type ListCall, lowerToList } from '../lower/lower-list.ts';
import { lowerWrites } from '../records/prove-writes.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import type { Play, VariantApps } from '../verify/play.ts';
import { verifyCandidate } from '../verify/verify-candidate.ts';
import {
  collected,
  judged,
  makeSample,
  makeVerdict,
  NOTHING_MADE,
  type ProveContext,
  type Proven,
  proveEach,
  type SampleMaker,
} from './sample-maker.ts';

/** What a gold SQL changes, as calls of the record API; with `reads` also what one call of it lists. */
export const records: SampleMaker = {
  lower: ({ writes, tieBroken }, { reads }) => ({
    async prove(context) {
      const listed = reads ? await proveEach(tieBroken, context, (gold) => proveList(gold, context)) : NONE;
      if (writes.length === 0) return listed;
      const { split, service } = context;
      const toolset = SERVED_FORMULATIONS.records.toolset(service, []);
      const copy = new PrivateCopy(context.variants[0].served);
      const changed = await proveEach(tasksOf(writes), context, async (questions) => {
        const outcomes = await lowerWrites(questions, { ...context, copy });
        return collected(
          outcomes.map((outcome, i) => {
            const question = questions[i] as Question;
            context.onVerdict?.();
            if (!outcome.kept)
              return { samples: [], verdicts: [makeVerdict(question, 'records', outcome, NOTHING_MADE)] };
            const { calls, diff, answer, flags, constructs } = outcome;
            const facts = { constructs, calls: calls.length, tools: toolset.size };
            const candidate = {
              question,
              formulation: 'records',
              initialization_step: null,
              output: calls,
            } as const;
            const gold = { columns: answer?.columns ?? [], rows: answer?.rows ?? [], orderGroups: null };
            const made = makeSample(candidate, { gold, body: null, flags, ties: {} }, { split, toolset });
            return {
              samples: [{ ...made, gold_diff: [...diff], ...writeFacts.parse(question) }],
              verdicts: [makeVerdict(question, 'records', { kept: true, flags }, facts)],
            };
          }),
        );
      }).finally(() => copy.close());
      return collected([listed, changed]);
    },
  }),
};

const NONE: Proven = { samples: [], verdicts: [] };

/** The task of a query that one call lists; none, without a verdict, for any other. */
async function proveList(gold: GoldQuery, context: ProveContext): Promise<Proven> {
  const { split, service, apps } = context;
  const lowered = lowerToList(gold.query, service);
  if (lowered === null) return NONE;
  const candidate = {
    question: gold.question,
    formulation: 'records',
    initialization_step: null,
    output: [lowered.call],
  } as const;
  const outcome = await verifyCandidate(candidate, gold, {
    ...context,
    play: playList(lowered, service, apps),
  });
  if (!outcome.kept) return NONE;
  const toolset = SERVED_FORMULATIONS.records.toolset(service, []);
  const { samples, verdicts } = judged(candidate, gold, outcome, { split, toolset });
  return { samples: samples.map((sample) => ({ ...sample, gold_diff: [] })), verdicts };
}

/** Makes the call and gives the values of its records that the query asks for. */
export function playList(
  { call, columns }: ListCall,
  service: Service,
  apps: Pick<VariantApps, 'calls'>,
): Play {
  return async (_, variant) => {
    const { answers } = await playRecords(apps.calls(variant), service, [call]);
    const [answer] = answers;
    if (answer?.status !== 200) throw new QueryError('CALL_FAILED', `${call.name}: ${answer?.body}`);
    const body = parseExactJson(answer.body);
    const { data, next_cursor } = page.parse(body);
    if (next_cursor !== null && call.arguments.limit === undefined)
      throw new QueryError('SQL_TOO_LARGE', 'the records have several pages');
    return { rows: data.map((each) => columns.map((name) => each[name] ?? null)), body };
  };
}

const page = z.object({
  data: z.array(z.record(z.string(), row.element)),
  next_cursor: z.string().nullable(),
});

/** Each question by itself, but the turns of a dialogue together. */
function tasksOf(questions: readonly Question[]): [Question, ...Question[]][] {
  const tasks = new Map<Question['question_id'], [Question, ...Question[]]>();
  for (const question of questions) {
    const id = question.turn_of ?? question.question_id;
    const task = tasks.get(id);
    if (task) task.push(question);
    else tasks.set(id, [question]);
  }
  return [...tasks.values()];
}

import { writeFacts } from '../../contracts/records.ts';
import type { Question } from '../../contracts/split.ts';
import { PrivateCopy } from '../../services/base/sqlite/private-copy.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { lowerWrites } from '../records/prove-writes.ts';
import {
  collected,
  makeSample,
  makeVerdict,
  NOTHING_MADE,
  proveEach,
  type SampleMaker,
} from './sample-maker.ts';

/** What a gold SQL changes, as calls of the record API. */
export const records: SampleMaker = {
  lower: ({ writes }) => ({
    async prove(context) {
      if (writes.length === 0) return { samples: [], verdicts: [] };
      const { split, service } = context;
      const toolset = SERVED_FORMULATIONS.records.toolset(service, []);
      const copy = new PrivateCopy(context.variants[0].served);
      return proveEach(tasksOf(writes), context, async (questions) => {
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
    },
  }),
};

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

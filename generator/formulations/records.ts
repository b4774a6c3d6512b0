import pMap from 'p-map';
import type { Verdict } from '../../contracts/farm.ts';
import { writeFacts } from '../../contracts/records.ts';
import type { Question } from '../../contracts/split.ts';
import { PrivateCopy } from '../../services/base/sqlite/private-copy.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { lowerWrites } from '../records/prove-writes.ts';
import { makeSample, makeVerdict, NOTHING_MADE, type SampleMaker } from './sample-maker.ts';

const OFFERS = { endpoints: [], start_tables: [] };

/** What a gold SQL changes, as calls of the record API. */
export const records: SampleMaker = {
  lower({ writes }) {
    return {
      offers: OFFERS,
      async prove(context) {
        if (writes.length === 0) return { offers: OFFERS, samples: [], verdicts: [] };
        const { split, service } = context;
        const toolset = SERVED_FORMULATIONS.records.toolset(service, []);
        const copy = new PrivateCopy(context.variants[0].served);
        const proven = await pMap(
          tasksOf(writes),
          async (questions) => {
            context.signal?.throwIfAborted();
            const outcomes = await lowerWrites(questions, { ...context, copy });
            return outcomes.map((outcome, i) => {
              const question = questions[i] as Question;
              context.onVerdict?.();
              if (!outcome.kept) {
                const verdict = makeVerdict(question, 'records', outcome, NOTHING_MADE);
                return { samples: [], verdict };
              }
              const { calls, diff, answer, flags } = outcome;
              const facts: Pick<Verdict, 'constructs' | 'calls' | 'tools'> = {
                constructs: outcome.constructs,
                calls: calls.length,
                tools: toolset.size,
              };
              const candidate = {
                question,
                formulation: 'records',
                initialization_step: null,
                output: calls,
              } as const;
              const gold = { columns: answer?.columns ?? [], rows: answer?.rows ?? [], orderGroups: null };
              const made = makeSample(candidate, { gold, body: null, flags, ties: {} }, { split, toolset });
              const sample = { ...made, gold_diff: [...diff], ...writeFacts.parse(question) };
              return {
                samples: [sample],
                verdict: makeVerdict(question, 'records', { kept: true, flags }, facts),
              };
            });
          },
          { concurrency: context.jobs },
        ).finally(() => copy.close());
        return {
          offers: OFFERS,
          samples: proven.flat().flatMap(({ samples }) => samples),
          verdicts: proven.flat().map(({ verdict }) => verdict),
        };
      },
    };
  },
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

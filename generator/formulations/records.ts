import { z } from 'zod';
import { row } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import { groupBy } from '../../contracts/grouping.ts';
import { writeFacts } from '../../contracts/records.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import type { Action, Service } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import { PrivateCopy } from '../../services/base/sqlite/private-copy.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { playRecords } from '../../services/domain/records/play-records.ts';
import { type ListCall, lowerToList } from '../lower/lower-list.ts';
import { lowerActions } from '../records/lower-actions.ts';
import { type ActionProof, proveAction } from '../records/prove-action.ts';
import { type LoweredWrites, lowerWrites } from '../records/prove-writes.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import { type Play, type VariantApps, verifyCandidate } from '../verify/verify-candidate.ts';
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
  singleCall,
} from './sample-maker.ts';

/**
 * What a gold SQL changes, as calls of the record API and, where it is one operation on rows of a table, as an action;
 * with `reads` also what one call lists.
 */
export const records: SampleMaker = {
  lower({ writes, tieBroken }, { catalog, referenceTime, reads, onBug }) {
    // Most domains have none, and need no words for them.
    const lowered =
      writes.length === 0
        ? NO_ACTIONS
        : lowerActions(writes.filter(mayBeAction), { catalog, referenceTime, onBug });
    return {
      actions: [...lowered.actions],
      async prove(context) {
        const listed = reads ? await proveEach(tieBroken, context, (gold) => proveList(gold, context)) : NONE;
        if (writes.length === 0) return listed;
        const copy = new PrivateCopy(context.variants[0].served);
        const tried: TriedAction[] = [];
        const proven = await proveEach(tasksOf(writes), context, async (questions) => {
          const outcomes = await lowerWrites(questions, { ...context, copy });
          const made: Proven[] = [];
          for (const [i, outcome] of outcomes.entries()) {
            const question = questions[i] as Question;
            const call = lowered.calls.get(question);
            if (outcome.kept && call)
              tried.push({ question, call, outcome, proof: await proveAction(question, call, context) });
            context.onVerdict?.();
            made.push(judgeRecords(question, outcome, context));
          }
          return collected(made);
        }).finally(() => copy.close());
        const actions = provenActions(lowered.actions, tried);
        const service = { ...context.service, actions };
        const asActions = tried.map(({ question, call, outcome, proof }) =>
          proof.kept
            ? proofOf(question, 'actions', { ...outcome, calls: [call] }, { ...context, service })
            : rejectionOf(question, 'actions', { ...proof, flags: [] }),
        );
        return { ...(actions.length > 0 ? { actions } : {}), ...collected([listed, proven, ...asActions]) };
      },
    };
  },
};

const NONE: Proven = { samples: [], verdicts: [] };
const NO_ACTIONS: ReturnType<typeof lowerActions> = { actions: [], calls: new Map() };

/** The task of a query that one call lists; none, without a verdict, for any other. */
async function proveList(gold: GoldQuery, context: ProveContext): Promise<Proven> {
  const { split, service, apps } = context;
  const lowered = lowerToList(gold.query, service);
  if (lowered === null) return NONE;
  const candidate = singleCall(gold.question, 'records', lowered.call);
  const play = playList(lowered, service, apps);
  const outcome = await verifyCandidate(candidate, gold, { ...context, play });
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

/** Pairs and what must be refused are about trying; a dialogue's turns hold for later ones. */
function mayBeAction({ refuse, pair, holding }: Question): boolean {
  return refuse !== true && pair === undefined && holding === undefined;
}

type KeptWrites = Extract<LoweredWrites, { readonly kept: true }>;

/** A question that is kept as calls of records, and whether its call of an action does the same. */
interface TriedAction {
  readonly question: Question;
  readonly call: Call;
  readonly outcome: KeptWrites;
  readonly proof: ActionProof;
}

function judgeRecords(question: Question, outcome: LoweredWrites, context: ProveContext): Proven {
  return outcome.kept
    ? proofOf(question, 'records', outcome, context)
    : rejectionOf(question, 'records', outcome);
}

function rejectionOf(
  question: Question,
  formulation: 'records' | 'actions',
  outcome: Parameters<typeof makeVerdict>[2],
): Proven {
  return { samples: [], verdicts: [makeVerdict(question, formulation, outcome, NOTHING_MADE)] };
}

function proofOf(
  question: Question,
  formulation: 'records' | 'actions',
  { calls, diff, answer, flags, constructs }: KeptWrites,
  { split, service }: Pick<ProveContext, 'split' | 'service'>,
): Proven {
  const toolset = SERVED_FORMULATIONS[formulation].toolset(service, []);
  const facts = { constructs, calls: calls.length, tools: toolset.size };
  const candidate = { question, formulation, initialization_step: null, output: calls } as const;
  const gold = { columns: answer?.columns ?? [], rows: answer?.rows ?? [], orderGroups: null };
  const made: Sample = makeSample(candidate, { gold, body: null, flags, ties: {} }, { split, toolset });
  return {
    samples: [{ ...made, gold_diff: [...diff], ...writeFacts.parse(question) }],
    verdicts: [makeVerdict(question, formulation, { kept: true, flags }, facts)],
  };
}

function provenActions(actions: readonly Action[], tried: readonly TriedAction[]): Action[] {
  return actions.flatMap((action) => {
    const own = tried.flatMap(({ call, proof }) => (proof.kept && call.name === action.name ? [proof] : []));
    return own.length > 0 ? [{ ...action, idempotent: own.every(({ idempotent }) => idempotent) }] : [];
  });
}

/** Each question by itself, but the turns of a dialogue together. */
function tasksOf(questions: readonly Question[]): [Question, ...Question[]][] {
  return [...groupBy(questions, ({ turn_of, question_id }) => turn_of ?? question_id).values()];
}

import pMap from 'p-map';
import { RUN_SQL } from '../../../contracts/formulations/hybrid.ts';
import { type GoldPlan, planAnswer } from '../../../contracts/plan.ts';
import type { Call } from '../../../contracts/sample.ts';
import type { HiddenShare } from '../../../contracts/share.ts';
import type { Question } from '../../../contracts/split.ts';
import { SERVED_FORMULATIONS } from '../../../services/domain/formulations/registry.ts';
import { hiddenTables } from '../../../services/domain/hidden/hidden-tables.ts';
import { constructsOf, printQuery, type Query } from '../../../sql/index.ts';
import type { Candidate } from '../../lower/candidate.ts';
import type { GoldQuery } from '../../verify/gold-answers.ts';
import { playCalls } from '../../verify/play/play-calls.ts';
import { type Proof, type Refutation, verifyCandidate } from '../../verify/verify-candidate.ts';
import { makeSample, makeVerdict } from '../contract/make-sample.ts';
import type { ProveContext } from '../contract/prove-context.ts';
import type { ProvenDomain, SampleMaker } from '../contract/sample-maker.ts';
import { withoutRowIds } from './without-row-ids.ts';

const OFFERS = { endpoints: [], start_tables: [] };

/** The gold SQL itself over a domain of which a share of the tables is hidden, where a farm hides some. */
export const hybrid: SampleMaker = {
  lower(domain, { hidden, catalog }) {
    const behind = new Set(hidden ? hiddenTables(catalog, hidden) : []);
    const { withScalars } = domain;
    const golds = [...domain.golds, ...withScalars.golds];
    const tieBroken = [...domain.tieBroken, ...withScalars.tieBroken];
    const lowered = (hidden ? tieBroken : []).map((gold, i) => {
      // As given, the query leaves ties open, which most answers do not have.
      const versions = [gold.query, ...gold.others, golds[i]?.query ?? gold.query];
      const told = versions.flatMap((version) => withoutRowIds(version, catalog, behind) ?? []);
      return { gold, candidate: candidateOf(gold.question, told[0] ?? gold.query) };
    });
    return {
      offers: OFFERS,
      prove: async (context) =>
        hidden ? prove(lowered, hidden, context) : { offers: OFFERS, samples: [], verdicts: [] },
    };
  },
};

function candidateOf(question: Question, query: Query): Candidate {
  const columns = query.kind === 'select' ? query.columns.map(({ name }) => name) : undefined;
  const sql = printQuery(query, columns ? { outputNames: columns } : {});
  return {
    question,
    formulation: 'hybrid',
    initialization_step: null,
    output: [callOf(sql)],
  };
}

function callOf(sql: string): Call {
  return { name: RUN_SQL, arguments: { sql } };
}

/** What is proven of a statement whose APIs are functions, where the same holds of them as virtual tables. */
function asFound(functions: Proof, tables: Proof | Refutation): Proof | Refutation {
  if (tables.kept) return functions;
  const { code, reason, clause } = tables.rejection;
  return { ...tables, rejection: { code, reason: `with APIs as virtual tables: ${reason}`, clause } };
}

/** Proves the statements through the apps of all variants: hidden tables are asked for over HTTP there. */
async function prove(
  lowered: readonly { readonly gold: GoldQuery; readonly candidate: Candidate }[],
  hidden: HiddenShare,
  context: ProveContext,
): Promise<ProvenDomain> {
  const { split, service, apps, goldAnswers, variants, signal } = context;
  const toolset = SERVED_FORMULATIONS.hybrid.toolset(service, []);
  const proven = await pMap(
    lowered,
    async ({ gold, candidate }) => {
      signal?.throwIfAborted();
      const verify = (each: Candidate) =>
        verifyCandidate(each, gold, {
          goldAnswers,
          variants,
          play: (calls, variant) => playCalls(apps.app(variant), service, calls),
          ...(signal ? { signal } : {}),
        });
      const plain = await verify(candidate);
      const virtual = gold.question.augmentation?.virtual_sql;
      // Agents may write either form.
      const outcome =
        plain.kept && virtual !== undefined
          ? asFound(plain, await verify({ ...candidate, output: [callOf(virtual)] }))
          : plain;
      const facts = { constructs: constructsOf(gold.query), calls: 1, tools: toolset.size };
      const sample = outcome.kept ? makeSample(candidate, outcome, { split, toolset }) : null;
      return {
        sample: sample && { ...sample, plan: planOf(sample.output_after_executing_api, hidden) },
        verdict: makeVerdict(gold.question, 'hybrid', outcome, facts),
      };
    },
    { concurrency: context.jobs },
  );
  return {
    offers: OFFERS,
    samples: proven.flatMap(({ sample }) => (sample ? [sample] : [])),
    verdicts: proven.map(({ verdict }) => verdict),
  };
}

function planOf(answer: unknown, { share, seed }: HiddenShare): GoldPlan {
  const { class: kind = 'none', plan, calls, rows_moved } = planAnswer.parse(answer);
  const pages = plan.reduce((sum, step) => sum + step.pages, 0);
  return { share, seed, class: kind, calls, pages, rows_moved };
}

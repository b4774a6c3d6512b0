import type { Catalog, CatalogTable } from '../../contracts/catalog.ts';
import { RUN_SQL } from '../../contracts/formulations.ts';
import {
  AMBIGUOUS_PLACE,
  atShare,
  type GoldPlan,
  type HiddenShare,
  planAnswer,
  printShare,
} from '../../contracts/hybrid.ts';
import type { Call, Flag, Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { hiddenTables } from '../../services/domain/hybrid/hybrid-tools.ts';
import {
  type Column,
  columnsOfQuery,
  constructsOf,
  node,
  Origins,
  printQuery,
  type Query,
  rewriteExprs,
  rowidAlias,
} from '../../sql/index.ts';
import type { Candidate } from '../lower/candidate.ts';
import { type GoldQuery, inFlagOrder } from '../verify/gold-answers.ts';
import {
  type Play,
  type Proof,
  playCalls,
  type Refutation,
  verifyCandidate,
} from '../verify/verify-candidate.ts';
import {
  makeSample,
  makeVerdict,
  type ProveContext,
  type Proven,
  proveEach,
  type SampleMaker,
  singleCall,
} from './sample-maker.ts';

/** The gold SQL over a domain with some tables hidden; a question has a sample at every share or at none. */
export const hybrid: SampleMaker = {
  lower(domain, { hidden, catalog }) {
    const behind = new Set(hidden?.flatMap((share) => hiddenTables(catalog, share)));
    const { withScalars } = domain;
    const golds = [...domain.golds, ...withScalars.golds];
    const tieBroken = [...domain.tieBroken, ...withScalars.tieBroken];
    const lowered = (hidden ? tieBroken : []).map((gold, i) => {
      // The query as given may leave ties open, which most other versions do not.
      const versions = [gold.query, ...gold.others, golds[i]?.query ?? gold.query];
      const [expressible] = versions.flatMap((version) => withoutRowIds(version, catalog, behind) ?? []);
      const hasTies = golds[i]?.query !== gold.query;
      return { gold, hasTies, candidate: candidateOf(gold.question, expressible ?? gold.query) };
    });
    return {
      prove: async (context) => (hidden ? prove(lowered, hidden, context) : { samples: [], verdicts: [] }),
    };
  },
};

function candidateOf(question: Question, query: Query): Candidate {
  const outputNames = query.kind === 'select' ? query.columns.map(({ name }) => name) : undefined;
  return singleCall(question, 'hybrid', callOf(printQuery(query, { outputNames })));
}

function callOf(sql: string): Call {
  return { name: RUN_SQL, arguments: { sql } };
}

/** The proof with functions if virtual tables give the same, else why they do not. */
function confirmed(functions: Proof, tables: Proof | Refutation): Proof | Refutation {
  if (tables.kept) return functions;
  const { code, reason, clause } = tables.rejection;
  return { ...tables, rejection: { code, reason: `with APIs as virtual tables: ${reason}`, clause } };
}

interface Lowered {
  readonly gold: GoldQuery;
  readonly candidate: Candidate;
  /** Whether the gold query had ties to break. */
  readonly hasTies: boolean;
}

/** Proves the statements on all variants, where hidden tables are read over HTTP. */
function prove(
  lowered: readonly Lowered[],
  hidden: readonly HiddenShare[],
  context: ProveContext,
): Promise<Proven> {
  const { split, service, signal } = context;
  const shares = hidden.map((share) => {
    const served = atShare(service, share);
    return { share, served, toolset: SERVED_FORMULATIONS.hybrid.toolset(served, []) };
  });
  const tools = shares[0]?.toolset.size ?? 0;
  return proveEach(lowered, context, async (each) => {
    const { gold, candidate } = each;
    const samples: Sample[] = [];
    const flags = new Set<Flag>();
    const facts = { constructs: constructsOf(gold.query), calls: 1, tools };
    for (const { share, served, toolset } of shares) {
      signal?.throwIfAborted();
      const outcome = await proveAt(served, each, context);
      for (const flag of outcome.flags) flags.add(flag);
      if (!outcome.kept) {
        const refuted = shares.length > 1 ? namingShare(outcome, share) : outcome;
        return { samples: [], verdicts: [makeVerdict(gold.question, 'hybrid', refuted, facts)] };
      }
      const sample = makeSample(candidate, outcome, { split, toolset });
      const { plan, choosesPlaces } = planOf(sample.output_after_executing_api, share);
      if (choosesPlaces) flags.add(AMBIGUOUS_PLACE);
      samples.push({
        ...sample,
        sample_id: `${sample.sample_id}@${printShare(share)}`,
        flags: inFlagOrder(choosesPlaces ? [...sample.flags, AMBIGUOUS_PLACE] : sample.flags),
        plan,
      });
    }
    const kept = { kept: true, flags: inFlagOrder([...flags]) } as const;
    return { samples, verdicts: [makeVerdict(gold.question, 'hybrid', kept, facts)] };
  });
}

/** Proves both forms of a statement at one share. */
async function proveAt(
  served: Service,
  { gold, candidate, hasTies }: Lowered,
  context: ProveContext,
): Promise<Proof | Refutation> {
  const { apps, variants } = context;
  const [original] = variants;
  const play: Play = (calls, variant) => playCalls(apps.app(variant), served, calls);
  const verify = (each: Candidate, among: ProveContext['variants'] = variants) =>
    verifyCandidate(each, gold, { ...context, variants: among, play });
  const plain = await verify(candidate);
  const virtual = gold.question.augmentation?.virtual_sql;
  if (!plain.kept || virtual === undefined) return plain;
  // Without broken ties: on a neighbour it may pick other tied rows than the gold SQL.
  const again = { ...candidate, output: [callOf(virtual)] };
  return confirmed(plain, await verify(again, hasTies ? [original] : variants));
}

function namingShare(refutation: Refutation, { share }: HiddenShare): Refutation {
  const { code, reason, clause } = refutation.rejection;
  return { ...refutation, rejection: { code, reason: `at ${share} %: ${reason}`, clause } };
}

/** The cost of a gold call at one share, and whether it looked up an ambiguous place. */
export function planOf(
  answer: unknown,
  { share, seed }: HiddenShare,
): { readonly plan: GoldPlan; readonly choosesPlaces: boolean } {
  const { class: kind = 'none', plan, calls, rows_moved } = planAnswer.parse(answer);
  const pages = plan.reduce((sum, step) => sum + step.pages, 0);
  const choosesPlaces = plan.some(({ ambiguous = 0 }) => ambiguous > 0);
  return { plan: { share, seed, class: kind, calls, pages, rows_moved }, choosesPlaces };
}

/** Replaces row ids, which APIs do not have, by the key that is their alias; null without such a key. */
export function withoutRowIds(query: Query, catalog: Catalog, tables: ReadonlySet<string>): Query | null {
  const origins = new Origins(query, catalog);
  const hidden = (column: Column): CatalogTable | null => {
    const table = column.name === 'rowid' ? origins.tableOf(column.source) : null;
    // Unless a real column has that name.
    const isOwn = table?.columns.some(({ name }) => name === 'rowid');
    return table && !isOwn && tables.has(table.name) ? table : null;
  };
  const rewritten = rewriteExprs(query, (expr) => {
    if (expr.kind !== 'column') return null;
    const table = hidden(expr);
    const key = table && rowidAlias(table);
    return key ? node({ ...expr, name: key.name }) : null;
  });
  return columnsOfQuery(rewritten).some((column) => hidden(column)) ? null : rewritten;
}

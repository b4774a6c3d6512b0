import pMap from 'p-map';
import type { Catalog } from '../../contracts/catalog.ts';
import type { Verdict } from '../../contracts/farm.ts';
import { onceFor } from '../../contracts/grouping.ts';
import { fitsInPath } from '../../contracts/paths.ts';
import type { Flag } from '../../contracts/sample.ts';
import type { Endpoint, EndpointParameter } from '../../contracts/service.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { spellOutLists } from '../../services/domain/rest/parameters.ts';
import { parseQuery, type Query, quoteIdentifier } from '../../sql/index.ts';
import type { RestCandidate } from '../lower/candidate.ts';
import { lookedUpColumn, lowerRest, type PathChoices } from '../lower/lower-rest.ts';
import { withDatabase } from '../oracle/engines.ts';
import { estimateVisits } from '../oracle/served-copy.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import { playCalls } from '../verify/verify-candidate.ts';
import {
  asSendable,
  ColumnValues,
  otherSpellings,
  proveAcceptedValues,
  type SendableValue,
  type VerifyRestContext,
  verifyRest,
} from '../verify/verify-rest.ts';
import {
  collected,
  judged,
  makeVerdict,
  NOTHING_MADE,
  type ProveContext,
  type SampleMaker,
} from './sample-maker.ts';

/** REST: one endpoint per query template, one call per question. */
export const rest: SampleMaker = {
  lower({ golds, tieBroken }, context) {
    const { split, db, catalog, referenceTime, database, onBug } = context;
    const pathChoices = context.pathParameters ? choicesThatFitInPath(context.file) : undefined;
    const lowered = lowerRest(tieBroken, { split, db, catalog, pathChoices, onBug });
    const queries = queriesOf(lowered.candidates, tieBroken);
    const endpoints = markSpeed(lowered.endpoints, queries, { database, catalog });
    const rejected = lowered.rejections.map(({ question, rejection }): Verdict => {
      const refutation = { kept: false, rejection, flags: [] } as const;
      return makeVerdict(question, 'rest', refutation, NOTHING_MADE);
    });
    return {
      endpoints,
      async prove(context) {
        const byId = new Map(golds.map((gold) => [gold.question.question_id, gold]));
        const parse = (text: string) => parseQuery(text, { catalog, referenceTime });
        const proven = await proveRest(lowered.candidates, byId, { ...context, seed: split, parse });
        return { ...proven, verdicts: [...rejected, ...proven.verdicts] };
      },
    };
  },
};

/** One query of each endpoint, by the endpoint's name. */
function queriesOf(candidates: readonly RestCandidate[], golds: readonly GoldQuery[]): Map<string, Query> {
  const byQuestion = new Map(golds.map(({ question, query }) => [question.question_id, query]));
  return new Map(
    candidates.flatMap(({ endpoint, question }) => {
      const query = byQuestion.get(question.question_id);
      return query ? [[endpoint, query] as const] : [];
    }),
  );
}

interface ProveRestContext extends ProveContext {
  readonly seed: string;
  /** Parses gold SQL with other values. Throws QueryErrors. */
  readonly parse: (sql: string) => Query;
}

/** With the endpoints called by some kept sample; no others are served. */
async function proveRest(
  candidates: readonly RestCandidate[],
  golds: ReadonlyMap<string | number, GoldQuery>,
  context: ProveRestContext,
) {
  const { split, service, apps, variants } = context;
  const byName = new Map(service.endpoints.map((endpoint) => [endpoint.name, endpoint]));
  const values = new ColumnValues(variants[0].plain);
  const proven = await pMap(
    candidates,
    async (candidate) => {
      context.signal?.throwIfAborted();
      const gold = golds.get(candidate.question.question_id);
      const endpoint = byName.get(candidate.endpoint);
      if (!gold || !endpoint) throw new Error(`question ${candidate.question.question_id} has no endpoint`);
      const proving: VerifyRestContext = {
        ...context,
        values,
        play: (calls, variant) => playCalls(apps.app(variant), service, calls),
      };
      const proof = await verifyRest(candidate, endpoint, gold, proving);
      const accepted = proof.kept
        ? await proveAcceptedValues(candidate, otherSpellings(candidate), gold, proving)
        : undefined;
      context.onVerdict?.();
      const slow: Flag[] = endpoint.speed === 'slow' ? ['slow'] : [];
      return { candidate, gold, accepted, outcome: { ...proof, flags: [...proof.flags, ...slow] } };
    },
    { concurrency: context.jobs },
  );

  const used = new Set(
    proven.filter(({ outcome }) => outcome.kept).map(({ candidate }) => candidate.endpoint),
  );
  const kept = service.endpoints.filter(({ name }) => used.has(name));
  const endpoints = annotateParameters(kept, candidates, values);
  const toolset = SERVED_FORMULATIONS.rest.toolset({ ...service, endpoints }, []);
  const all = proven.map(({ candidate, gold, accepted, outcome }) => {
    const { samples, verdicts } = judged(candidate, gold, outcome, { split, toolset });
    return { samples: samples.map((sample) => ({ ...sample, accepted_values: accepted })), verdicts };
  });
  return { endpoints, ...collected(all) };
}

/** Choices that may go into a path: all texts of the column looked up, and all given values, must fit. */
function choicesThatFitInPath(file: string): PathChoices {
  const known = new Map<string, boolean>();
  const columnFits = (column: Column): boolean =>
    onceFor(known, keyOf(column), () => everyTextFits(file, column));
  return ({ members }, position) =>
    members.every(({ choices }) => {
      const choice = choices[position];
      const column = choice ? lookedUpColumn(choice, choices) : null;
      return column && fitsInPath(String(choice?.value)) && columnFits(column);
    });
}

function everyTextFits(file: string, { table, column }: Column): boolean {
  return withDatabase(file, (db) => {
    const name = quoteIdentifier(column);
    const texts = db
      .prepare(`SELECT DISTINCT ${name} FROM ${quoteIdentifier(table)} WHERE typeof(${name}) = 'text'`)
      .pluck()
      .iterate();
    for (const text of texts) if (!fitsInPath(String(text))) return false;
    return true;
  });
}

type Column = NonNullable<EndpointParameter['column']>;

/** With fewer unused values, an example would give away the used ones. */
const LEAST_OTHERS = 10;
const MOST_CHARACTERS = 40;

/** Adds to each parameter the column it is compared with, and a value that no gold call uses. */
function annotateParameters(
  endpoints: readonly Endpoint[],
  candidates: readonly RestCandidate[],
  values: ColumnValues,
): Endpoint[] {
  const columns = new Map<string, Column>();
  const used = new Map<string, Set<string>>();
  for (const { endpoint, bindings, output } of candidates) {
    for (const { parameter, column } of bindings) {
      if (!column) continue;
      columns.set(JSON.stringify([endpoint, parameter]), column);
      const given = onceFor(used, keyOf(column), () => new Set());
      for (const { arguments: args } of output) {
        for (const value of [args[parameter]].flat()) given.add(String(value).toLowerCase());
      }
    }
  }
  return endpoints.map((endpoint) => ({
    ...endpoint,
    parameters: endpoint.parameters.map((parameter) => {
      const column = columns.get(JSON.stringify([endpoint.name, parameter.name]));
      if (!column) return parameter;
      const example = exampleOf(column, parameter, used.get(keyOf(column)) ?? new Set(), values);
      return { ...parameter, column, ...(example === undefined ? {} : { example }) };
    }),
  }));
}

function exampleOf(
  { table, column }: Column,
  { type }: EndpointParameter,
  used: ReadonlySet<string>,
  values: ColumnValues,
): SendableValue | undefined {
  const others = new Set<SendableValue>();
  for (const row of values.rowsOf(table)) {
    const value = asSendable(row[column], type);
    if (value === undefined || value === '' || String(value).length > MOST_CHARACTERS) continue;
    if (!used.has(String(value).toLowerCase())) others.add(value);
  }
  const sorted = [...others].sort((a, b) => (String(a) < String(b) ? -1 : 1));
  // The median, since extremes are often answers.
  return sorted.length < LEAST_OTHERS ? undefined : sorted[Math.floor(sorted.length / 2)];
}

function keyOf({ table, column }: Column): string {
  return JSON.stringify([table, column]);
}

/** Rows visited in a few milliseconds; an endpoint that visits more runs in a child process. */
const QUICK_VISITS = 20_000;

/** Estimates the rows visited, not the time, so that the farm is the same on every machine. */
function markSpeed(
  endpoints: readonly Endpoint[],
  queries: ReadonlyMap<string, Query>,
  { database, catalog }: { readonly database: string; readonly catalog: Catalog },
): Endpoint[] {
  return withDatabase(database, (db) => {
    return endpoints.map((endpoint) => {
      const query = queries.get(endpoint.name);
      if (!query) throw new Error(`endpoint ${endpoint.name} has no query`);
      const visits = estimateVisits(db, asRun(endpoint), query, catalog);
      return { ...endpoint, speed: visits > QUICK_VISITS ? 'slow' : 'quick' };
    });
  });
}

/** The SQL as run, with two values for each list. */
function asRun({ sql, parameters }: Endpoint): string {
  const lists = parameters.flatMap(({ name, array }) => (array ? [[name, [null, null]] as const] : []));
  return spellOutLists(sql, { values: {}, lists: Object.fromEntries(lists) }).sql;
}

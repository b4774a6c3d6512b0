import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Catalog, CatalogTable } from '../contracts/catalog.ts';
import { QueryError } from '../contracts/errors.ts';
import { DEFAULT_REFERENCE_TIME, type Domain, type Question, type Split } from '../contracts/split.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { SMALL_DOMAINS } from '../databases/domains.ts';
import { lowerRest } from '../generator/lower/lower-rest.ts';
import { Oracle } from '../generator/oracle/oracle.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { type Mutant, mutantsOf } from '../generator/variants/mutants.ts';
import { type DatabaseVariant, makeVariants } from '../generator/variants/neighbours.ts';
import { GoldAnswers } from '../generator/verify/gold-answers.ts';
import {
  type Column,
  conjunction,
  conjuncts,
  type Expr,
  exprsWithin,
  type FromItem,
  node,
  ownExprs,
  parseQuery,
  printQuery,
  type Query,
  queriesOf,
  queryExprs,
  replaceNode,
  type Select,
} from '../sql/index.ts';

test('what an endpoint says changes with each clause of its query', async () => {
  const split = await readSplit(await buildBundledSplit({ only: SMALL_DOMAINS, handWritten: true }));
  const slips = await measureDescriptions(split);
  const missed = slips.filter(({ caught }) => !caught);
  expect(slips.length).toBeGreaterThan(200);
  expect(
    missed.length / slips.length,
    missed.map(({ kind, sql, changed }) => `${kind}\n${sql}\n${changed}`).join('\n\n'),
  ).toBeLessThan(0.02);
});

/** The outcome of one change of one clause. */
interface Slip {
  readonly kind: string;
  /** Whether the endpoint's description would change. */
  readonly caught: boolean;
  readonly sql: string;
  readonly changed: string;
}

/** Every how many-th query of a domain is changed. */
const EVERY = 6;
const referenceTime = DEFAULT_REFERENCE_TIME;

/**
 * Changes one clause of each query at a time and checks whether its endpoint's texts (summary, description, parameters
 * and columns together) change too. Only changes that give another answer in the data or in a neighbour of it count.
 */
async function measureDescriptions(split: Split): Promise<readonly Slip[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-descriptions-'));
  const oracle = new Oracle({ referenceTime, limitMs: 3_000, maxRows: 20_000 });
  const slips: Slip[] = [];
  try {
    for (const domain of split.domains) {
      // Words written for an endpoint are about its own query only.
      const questions = split.questions
        .filter(({ db_id }) => db_id === domain.db)
        .map((question) => ({ ...question, endpoint_words: undefined }));
      slips.push(...(await measureDomain(domain, questions, { oracle, scratch, split: split.name })));
    }
  } finally {
    await oracle.close();
    rmSync(scratch, { recursive: true, force: true });
  }
  return slips;
}

interface DomainContext {
  readonly oracle: Oracle;
  readonly scratch: string;
  readonly split: string;
}

async function measureDomain(
  domain: Domain,
  questions: readonly Question[],
  { oracle, scratch, split }: DomainContext,
): Promise<readonly Slip[]> {
  const { db, catalog, file } = domain;
  const bound = questions.flatMap((question) => {
    try {
      return [{ question, query: parseQuery(question.sql, { catalog, referenceTime }) }];
    } catch (error) {
      if (error instanceof QueryError) return [];
      throw error;
    }
  });
  const context = { split, db, catalog };
  const { candidates } = lowerRest(bound, context);
  const first = new Map(candidates.toReversed().map(({ endpoint, question }) => [endpoint, question]));
  const chosen = bound.filter(({ question }) => [...first.values()].includes(question));
  const variants = await makeVariants({
    catalog,
    original: { label: 'original', plain: file, served: file },
    queries: bound.map(({ query }) => query),
    folder: join(scratch, db),
    seed: split,
    oracle,
  });
  const written = variants.filter(({ ready }) => !ready);
  const gold = new GoldAnswers(oracle, catalog);
  const slips: Slip[] = [];
  for (const one of chosen.filter((_, i) => i % EVERY === 0)) {
    const said = saidOf(one.query);
    if (said === null) continue;
    for (const { kind, query } of slipsOf(one.query, catalog)) {
      const changed = printQuery(query);
      const other = saidOf(query);
      if (other === null || !(await differs(one, query, written, gold))) continue;
      slips.push({ kind, caught: other !== said, sql: printQuery(one.query), changed });
    }
    function saidOf(query: Query): string | null {
      try {
        const [endpoint] = lowerRest([{ question: one.question, query }], context).endpoints;
        if (endpoint === undefined) return null;
        const parameters = endpoint.parameters.map(({ name, description }) => `${name}: ${description}`);
        const columns = endpoint.columns.map(({ name, description }) => `${name}: ${description}`);
        return [endpoint.summary, endpoint.description, ...parameters, ...columns].join('\n');
      } catch (error) {
        if (error instanceof QueryError) return null;
        throw error;
      }
    }
  }
  return slips;
}

/** Whether a changed query gives an answer that the original may not give, on the data or on a neighbour. */
async function differs(
  original: { readonly question: Question; readonly query: Query },
  changed: Query,
  variants: readonly DatabaseVariant[],
  gold: GoldAnswers,
): Promise<boolean> {
  for (const variant of variants) {
    try {
      const expected = await gold.expect(original, variant);
      const { rows } = await gold.expectAnswerTo(printQuery(changed), changed, variant.plain);
      const { sql } = original.question;
      if (!(await gold.allows(rows, { expected, sql, query: original.query, variant }))) return true;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
    }
  }
  return false;
}

/**
 * A query with one clause changed, each in one way: the changes that neighbours are measured with, and some that only a
 * description can reveal: a join on another role or left out, another column counted, a difference turned round,
 * another key to group by, another column shown.
 */
function slipsOf(query: Query, catalog: Catalog): readonly Mutant[] {
  // A literal is another value of a parameter, or a constant of the query: not another endpoint in any case.
  const known = mutantsOf(query, catalog).filter(({ kind }) => kind !== 'literal');
  const own = queriesOf(query).flatMap((inner) => {
    const slips = inner.kind === 'select' ? selectSlips(inner, catalog) : [];
    return slips.map(([kind, select]): Mutant => ({ kind, query: replaceNode(query, inner, select) }));
  });
  return [...known, ...own];
}

type Change = readonly [kind: string, select: Select];

function selectSlips(select: Select, catalog: Catalog): readonly Change[] {
  return [
    ...otherRoles(select, catalog),
    ...droppedJoins(select),
    ...exprSlips(select, catalog),
    ...otherKeys(select, catalog),
  ];
}

/** Each column of a select's own clauses with its table. */
function columnsOf(select: Select, catalog: Catalog): readonly (readonly [Column, CatalogTable])[] {
  const exprs = queryExprs(select).flatMap((clause) => [...ownExprs(clause)]);
  return exprs.flatMap((expr) => {
    const table = expr.kind === 'column' ? tableOf(select, expr, catalog) : null;
    return expr.kind === 'column' && table !== null ? [[expr, table] as const] : [];
  });
}

function tableOf(select: Select, column: Column, catalog: Catalog): CatalogTable | null {
  const source = select.from.find((item) => item.source.id === column.source)?.source;
  if (source?.kind !== 'table') return null;
  return catalog.tables.find(({ name }) => name === source.table) ?? null;
}

/** A reference replaced by another one of the same table to the same rows: the away team for the home team. */
function otherRoles(select: Select, catalog: Catalog): readonly Change[] {
  return columnsOf(select, catalog).flatMap(([column, table]) => {
    const key = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === column.name);
    const others = table.foreign_keys.filter(
      (other) =>
        other !== key && other.columns.length === 1 && other.references_table === key?.references_table,
    );
    return others.map((other): Change => {
      const name = other.columns[0] ?? column.name;
      return ['other role', replaceNode(select, column, node({ ...column, name }))];
    });
  });
}

/** A source left out that nothing but its own join reads. */
function droppedJoins(select: Select): readonly Change[] {
  if (select.from.length < 2) return [];
  return select.from.slice(1).flatMap((item): readonly Change[] => {
    const reads = (expr: Expr) =>
      exprsWithin(expr).some((part) => part.kind === 'column' && part.source === item.source.id);
    const rest = select.from.filter((other) => other !== item);
    const kept = conjuncts(select.where).filter((one) => !reads(one));
    const others = queryExprs({ ...select, where: null, from: rest });
    const apart = rest.some((other: FromItem) => other.on !== null && reads(other.on));
    if (apart || others.some(reads) || kept.length < conjuncts(select.where).length) return [];
    const where = kept.length === 0 ? null : conjunction(kept);
    return [['dropped join', node({ ...select, from: rest, where })]];
  });
}

function exprSlips(select: Select, catalog: Catalog): readonly Change[] {
  const exprs = queryExprs(select).flatMap((clause) => [...ownExprs(clause)]);
  return exprs.flatMap((expr): readonly Change[] => {
    if (expr.kind === 'binary' && (expr.op === '-' || expr.op === '/')) {
      const turned = node({ ...expr, left: expr.right, right: expr.left });
      return [[expr.op === '-' ? 'difference turned' : 'ratio turned', replaceNode(select, expr, turned)]];
    }
    if (expr.kind === 'aggregate' && expr.name === 'count') return countedColumns(expr, select, catalog);
    if (
      expr.kind === 'in_list' ||
      expr.kind === 'in_query' ||
      expr.kind === 'like' ||
      expr.kind === 'exists'
    ) {
      return [['negation', replaceNode(select, expr, node({ ...expr, negated: !expr.negated }))]];
    }
    if (expr.kind === 'compare' && (expr.op === '=' || expr.op === '!=') && expr.right.kind === 'literal') {
      const op = expr.op === '=' ? '!=' : '=';
      return [['negation', replaceNode(select, expr, node({ ...expr, op }))]];
    }
    return [];
  });
}

/** The key of each other table counted instead, once a value. */
function countedColumns(
  expr: Extract<Expr, { kind: 'aggregate' }>,
  select: Select,
  catalog: Catalog,
): readonly Change[] {
  return select.from.flatMap(({ source }): readonly Change[] => {
    if (source.kind !== 'table') return [];
    const table = catalog.tables.find(({ name }) => name === source.table);
    const key = table?.columns.find(({ primary_key }) => primary_key > 0);
    if (key === undefined) return [];
    const column: Column = node({ kind: 'column', source: source.id, name: key.name });
    const counted = node({ ...expr, args: [column], star: false, distinct: true });
    return [['counted rows', replaceNode(select, expr, counted)]];
  });
}

/** Each key to group by replaced by another column of its table. */
function otherKeys(select: Select, catalog: Catalog): readonly Change[] {
  return select.groupBy.flatMap((key): readonly Change[] => {
    const table = key.kind === 'column' ? tableOf(select, key, catalog) : null;
    if (key.kind !== 'column' || table === null) return [];
    const other = table.columns.find(({ name, primary_key }) => name !== key.name && primary_key === 0);
    if (other === undefined) return [];
    const groupBy = select.groupBy.map((one) => (one === key ? node({ ...key, name: other.name }) : one));
    return [['other group key', node({ ...select, groupBy })]];
  });
}

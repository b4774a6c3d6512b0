import pMap from 'p-map';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Catalog, Row } from '../../contracts/catalog.ts';
import type { Question } from '../../contracts/split.ts';
import { Origins, printQuery, type Query } from '../../sql/index.ts';
import { type Oracle, unlessRefused } from '../oracle/oracle.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import type { AuditedQuery, Finding, Rule } from './rules.ts';

export interface NamedFinding extends Finding {
  readonly rule: string;
}

interface AuditContext {
  readonly catalog: Catalog;
  readonly oracle: Oracle;
  readonly file: string;
  /** Neighbours of the original; a change counts only if it shows on one of them. */
  readonly neighbours: readonly string[];
  readonly rules: readonly Rule[];
  readonly jobs: number;
  /** Rejects with a QueryError where SQLite gives no rows. */
  readonly rowsOf: (gold: GoldQuery) => Promise<readonly Row[]>;
  readonly signal?: AbortSignal;
  readonly onQuestion?: (question: Question) => void;
}

/** Findings in the gold queries of one domain; questions without any are left out. */
export async function auditGolds(
  golds: readonly GoldQuery[],
  context: AuditContext,
): Promise<ReadonlyMap<Question, readonly NamedFinding[]>> {
  const audited = await pMap(
    golds,
    async (gold) => {
      context.signal?.throwIfAborted();
      const findings = await auditGold(gold, context);
      context.onQuestion?.(gold.question);
      return [gold.question, findings] as const;
    },
    { concurrency: context.jobs },
  );
  return new Map(audited.filter(([, findings]) => findings.length > 0));
}

async function auditGold(gold: GoldQuery, context: AuditContext): Promise<NamedFinding[]> {
  const { question, query } = gold;
  const { catalog, oracle, file, neighbours, rules } = context;
  const rowsOn = (place: string, sql: string) =>
    unlessRefused(oracle.run(place, sql).then(({ rows }) => rows));
  const rows = await unlessRefused(context.rowsOf(gold));
  if (rows === null) return [];
  // Computed once, however many conditions are dropped.
  const goldOn = new Map<string, Promise<readonly Row[] | null>>([[file, Promise.resolve(rows)]]);
  const goldRowsOn = (place: string) => {
    const known = goldOn.get(place) ?? rowsOn(place, printQuery(query));
    goldOn.set(place, known);
    return known;
  };
  const ordered = query.kind !== 'values' && query.orderBy.length > 0;
  const audited: AuditedQuery = {
    question,
    query,
    catalog,
    origins: new Origins(query, catalog),
    rows,
    run: (changed) => rowsOn(file, printQuery(changed)),
    runSql: (sql) => rowsOn(file, sql),
    async differs(changed: Query) {
      const sql = printQuery(changed);
      for (const place of [file, ...neighbours]) {
        const own = await goldRowsOn(place);
        const other = await rowsOn(place, sql);
        if (own === null || other === null) return true;
        if (!sameRows(own, other, ordered ? own.map((_, i) => i) : null)) return true;
      }
      return false;
    },
  };
  const found: NamedFinding[] = [];
  for (const rule of rules) {
    for (const finding of await rule.check(audited)) found.push({ rule: rule.name, ...finding });
  }
  return found;
}

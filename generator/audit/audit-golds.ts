import pMap from 'p-map';
import type { Catalog } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { sameRows } from '../../contracts/same-rows.ts';
import type { Question } from '../../contracts/split.ts';
import type { Row } from '../../contracts/value.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { Origins, printQuery, type Query } from '../sql/index.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import type { AuditedQuery, Finding, Rule } from './rule.ts';

/** A finding with the rule that made it. */
export interface NamedFinding extends Finding {
  readonly rule: string;
}

export interface AuditContext {
  readonly catalog: Catalog;
  readonly oracle: Oracle;
  /** The original database. */
  readonly file: string;
  /** Neighbours of it; a change that shows on none of them counts as none. */
  readonly neighbours: readonly string[];
  readonly rules: readonly Rule[];
  readonly jobs: number;
  readonly signal?: AbortSignal;
  readonly onQuestion?: (question: Question) => void;
}

/** What the rules find in the gold queries of one domain; questions without findings are left out. */
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

async function auditGold({ question, query }: GoldQuery, context: AuditContext): Promise<NamedFinding[]> {
  const { catalog, oracle, file, neighbours, rules } = context;
  const rowsOn = async (place: string, sql: string): Promise<readonly Row[] | null> => {
    try {
      return (await oracle.run(place, sql)).rows;
    } catch (error) {
      if (error instanceof QueryError) return null;
      throw error;
    }
  };
  const rows = await rowsOn(file, question.sql);
  if (rows === null) return [];
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
        const gold = place === file ? rows : await rowsOn(place, printQuery(query));
        const other = await rowsOn(place, sql);
        if (gold === null || other === null) return true;
        if (!sameRows(gold, other, ordered ? gold.map((_, i) => i) : null)) return true;
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

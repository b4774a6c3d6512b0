import pMap from 'p-map';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Catalog, Policy } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { Question, Split, UnanswerableQuestion } from '../../contracts/split.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { splitStatements } from '../oracle/gold-sql.ts';
import { Oracle } from '../oracle/oracle.ts';

/** The rules of a domain about what may be told. */
export function readRules({ policies = [] }: Catalog): Policy[] {
  return policies.filter(({ on }) => on.includes('read'));
}

/**
 * Moves the questions whose answers a rule forbids to those without an answer. Of a dialogue they are left out, since they
 * cannot be asked alone; what changes rows is left to the rules about changes.
 */
export async function withoutForbidden(
  split: Split,
  { referenceTime, timeoutMs }: { readonly referenceTime: string; readonly timeoutMs: number },
): Promise<Split> {
  if (split.domains.every(({ catalog }) => readRules(catalog).length === 0)) return split;
  const oracle = new Oracle({ referenceTime, limitMs: timeoutMs });
  try {
    const broken = new Map<Question, Policy>();
    const domains = new Map(split.domains.map((domain) => [domain.db, domain]));
    await pMap(
      split.questions,
      async (question) => {
        const { catalog, file } = domains.get(question.db_id) as Split['domains'][number];
        for (const rule of readRules(catalog)) {
          if (broken.has(question) || isChange(question)) return;
          const breaks = await breaksRule(oracle.over(catalog), { catalog, file }, rule, question.sql).catch(
            (error: unknown) => {
              // The proof says why this cannot be decided; a faulty gold SQL is rejected as any other.
              if (error instanceof QueryError) return error.code !== 'SQL_NOT_PARSED';
              throw error;
            },
          );
          if (breaks) broken.set(question, rule);
        }
      },
      { concurrency: 2 },
    );
    const alone = [...broken].filter(
      ([{ dialogue, turn_of }]) => dialogue === undefined && turn_of === undefined,
    );
    return {
      ...split,
      questions: split.questions.filter((question) => !broken.has(question)),
      domains: split.domains.map((domain) => {
        const moved = alone.filter(([{ db_id }]) => db_id === domain.db).map(asForbidden);
        return moved.length === 0
          ? domain
          : { ...domain, unanswerable: [...(domain.unanswerable ?? []), ...moved] };
      }),
    };
  } finally {
    await oracle.close();
  }
}

function isChange({ sql }: Question): boolean {
  return !/^\s*(?:SELECT|WITH|VALUES)\b/i.test(sql);
}

function asForbidden([question, { id }]: readonly [Question, Policy]): UnanswerableQuestion {
  const { question_id, db_id, question: text, evidence, canary, sql } = question;
  return { question_id, db_id, question: text, evidence, canary, kind: 'forbidden', policy: id, sql };
}

/**
 * Whether the rows of a query depend on what a rule hides: they differ once the hidden columns are NULL, or the hidden
 * rows are not there. A rule about how many rows hides them all, and holds up to that many rows of the answer.
 */
export async function breaksRule(
  oracle: Oracle,
  { catalog, file }: { readonly catalog: Catalog; readonly file: string },
  rule: Policy,
  sql: string,
): Promise<boolean> {
  const [query = ''] = splitStatements(sql);
  const { rows } = await oracle.run(file, query);
  if (rule.at_most !== undefined && rows.length <= rule.at_most) return false;
  // A common table expression stands for the table in the whole query, its own ones included.
  const hiding = `WITH ${quoteIdentifier(rule.table)} AS (${hidden(catalog, rule)})\nSELECT * FROM (\n${query}\n)`;
  return !sameRows(rows, (await oracle.run(file, hiding)).rows, null);
}

function hidden({ tables }: Catalog, { table, forbid, columns = [] }: Policy): string {
  const list = (tables.find(({ name }) => name === table)?.columns ?? []).map(({ name }) =>
    columns.includes(name) ? `NULL AS ${quoteIdentifier(name)}` : quoteIdentifier(name),
  );
  const kept = columns.length > 0 ? '1' : forbid === undefined ? '0' : `NOT coalesce((\n${forbid}\n), 0)`;
  return `SELECT ${list.join(', ')} FROM main.${quoteIdentifier(table)} AS before WHERE ${kept}`;
}

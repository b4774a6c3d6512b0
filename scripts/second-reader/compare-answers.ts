import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueryError } from '../../contracts/errors.ts';
import { Oracle } from '../../generator/oracle/oracle.ts';
import { type DatabaseVariant, makeVariants } from '../../generator/variants/make-variants.ts';
import { Random } from '../../generator/variants/random.ts';
import { describeDifference } from '../../generator/verify/answer/describe-difference.ts';
import { GoldAnswers } from '../../generator/verify/gold-answers.ts';
import { ColumnValues } from '../../generator/verify/rest/column-values.ts';
import { parseQuery } from '../../sql/index.ts';
import type { DealtEndpoint } from './dealt-endpoint.ts';
import { fillParameters } from './fill-parameters.ts';
import { otherCalls } from './other-calls.ts';

/** How a second reader's SQL compares with the endpoint's own. */
export interface Verdict {
  readonly dealt: DealtEndpoint;
  readonly answer: string;
  /** What differs in the farm's data, or null when the rows agree for all calls. */
  readonly difference: string | null;
  /** What differs in a neighbour only, where columns lack values that the data always have; null when nothing does. */
  readonly elsewhere: string | null;
}

/**
 * Runs each answer and the endpoint's own SQL with the values of the questions and with others, on the farm's data and
 * on neighbours of it. Rows are compared as a gold answer's are: positions count, names of columns do not, order where
 * the endpoint sorts, and tied rows may swap.
 */
export async function compareAnswers(
  folder: string,
  dealt: readonly DealtEndpoint[],
  answers: ReadonlyMap<string, string>,
  referenceTime: string,
): Promise<readonly Verdict[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-second-reader-'));
  const oracle = new Oracle({ referenceTime, limitMs: 20_000 });
  try {
    const verdicts: Verdict[] = [];
    for (const service of new Set(dealt.map((one) => one.service))) {
      const { catalog, db } = service;
      const own = dealt.filter((one) => one.service === service);
      const file = join(folder, 'databases', `${db}.sqlite`);
      const made = await makeVariants({
        catalog,
        original: { label: 'original', plain: file, served: file },
        queries: own.map(({ endpoint, calls }) =>
          parse(fillParameters(endpoint.sql, endpoint.parameters, calls[0] ?? {}), catalog),
        ),
        folder: join(scratch, db),
        seed: db,
        count: 2,
        oracle,
      });
      const context = {
        // The files of stand-ins are not written.
        variants: made.filter(({ ready }) => ready === undefined),
        oracle,
        gold: new GoldAnswers(oracle, catalog),
        values: new ColumnValues(file),
      };
      for (const one of own) {
        const answer = answers.get(one.id);
        if (answer === undefined) continue;
        const [data, ...neighbours] = context.variants.map((variant) => [variant]);
        const difference = await differenceOf(one, answer, { ...context, variants: data ?? [] });
        const elsewhere =
          difference === null
            ? await differenceOf(one, answer, { ...context, variants: neighbours.flat() })
            : null;
        verdicts.push({ dealt: one, answer, difference, elsewhere });
      }
    }
    return verdicts;
  } finally {
    await oracle.close();
    rmSync(scratch, { recursive: true, force: true });
  }

  function parse(sql: string, catalog: DealtEndpoint['service']['catalog']) {
    return parseQuery(sql, { catalog, referenceTime });
  }

  async function differenceOf(
    one: DealtEndpoint,
    answer: string,
    context: CompareContext,
  ): Promise<string | null> {
    const { endpoint, service, calls, id } = one;
    const { variants, gold, values } = context;
    for (const call of [...calls, ...otherCalls(one, values, new Random(id))]) {
      const sql = fillParameters(endpoint.sql, endpoint.parameters, call);
      const query = parse(sql, service.catalog);
      for (const variant of variants) {
        try {
          const expected = await gold.expectAnswerTo(sql, query, variant.plain);
          const written = fillParameters(answer, endpoint.parameters, call);
          const { rows } = await context.oracle.run(variant.plain, written);
          if (await gold.allows(rows, { expected, sql, query, variant })) continue;
          return `${describeDifference(expected, rows)} (${variant.label}, ${JSON.stringify(call)})`;
        } catch (error) {
          if (!(error instanceof QueryError)) throw error;
          return error.message;
        }
      }
    }
    return null;
  }
}

interface CompareContext {
  readonly variants: readonly DatabaseVariant[];
  readonly oracle: Oracle;
  readonly gold: GoldAnswers;
  readonly values: ColumnValues;
}

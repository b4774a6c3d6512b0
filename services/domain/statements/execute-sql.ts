import { z } from 'zod';
import { type HiddenShare, readShare } from '../../../contracts/share.ts';
import { PAGE_ROWS } from '../../../contracts/table-api.ts';
import type { Caller } from '../../base/access/asker.ts';
import { parseArguments } from '../../base/arguments/parse-arguments.ts';
import { argumentProblem } from '../../base/http/argument-problem.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { hiddenTables, visibleCatalog } from '../hidden/hidden-tables.ts';
import type { RuntimeContext } from '../runtime/runtime-context.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';

const pageArguments = z.strictObject({
  sql: z.string(),
  limit: z.number().int().min(1).max(PAGE_ROWS.most).optional(),
  offset: z.number().int().min(0).optional(),
});

/**
 * The JSON text of a page of a SELECT's rows. The statement sees the visible tables and nothing else. Throws
 * INVALID_PARAMETERS, and what running it comes to.
 */
export async function executeSql(
  context: RuntimeContext,
  domain: ServedDomain,
  share: HiddenShare,
  body: unknown,
  asker: Caller,
): Promise<string> {
  const { sql, limit = PAGE_ROWS.default, offset = 0 } = readPageArguments(body);
  const { catalog: whole, reference_time: referenceTime } = domain.service;
  const catalog = visibleCatalog(whole, hiddenTables(whole, share));
  const reply = await context.workspaces.run(
    {
      database: domain.database,
      statement: { sql, scope: { catalog, referenceTime, functions: NONE } },
      tables: [],
      scalars: { known: {} },
      caps: { offset, maxRows: limit, maxBytes: context.limits.maxBytes },
      raw: false,
    },
    asker,
  );
  if (reply.kind !== 'rows') throw new Error(`a statement without APIs answered ${reply.kind}`);
  const { text, count, truncated } = reply.rows;
  const next = truncated && count > 0 ? offset + count : null;
  const columns = JSON.stringify(reply.columns);
  return `{"columns":${columns},"data":[${text}],"row_count":${count},"next_offset":${next},"truncated":${truncated}}`;
}

const NONE: ReadonlySet<string> = new Set();

function readPageArguments(body: unknown): z.infer<typeof pageArguments> {
  if (body === null || (body !== undefined && (typeof body !== 'object' || Array.isArray(body))))
    throw new HttpProblem('BAD_REQUEST', 'The body must be a JSON object with the arguments of the call.');
  try {
    return parseArguments(pageArguments, body ?? {});
  } catch (error) {
    throw argumentProblem(error);
  }
}

/** The share in an address. Throws UNKNOWN_ROUTE. */
export function requireShare(text: string): HiddenShare {
  const share = readShare(text);
  if (share) return share;
  const detail = `There is nothing here: ${text.slice(0, 20)} is no share from 0 to 100, such as 40, or 40-7 of seed 7`;
  throw new HttpProblem('UNKNOWN_ROUTE', detail);
}

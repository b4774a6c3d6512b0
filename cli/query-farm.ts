import { domainPath } from '../contracts/domain-path.ts';
import { UserError } from '../contracts/errors.ts';
import type { Executor } from '../contracts/plan.ts';
import type { Problem } from '../contracts/problem.ts';
import type { TableApiStyle } from '../contracts/table-api.ts';
import { buildApp, loadFarm } from '../services/index.ts';

export interface StatementOfFarm {
  readonly sql: string;
  readonly share: number;
  readonly seed: number;
  readonly executor: Executor;
}

/**
 * The answer of a farm's service to a statement, as JSON text, or what is wrong with the statement. Throws OPTION_INVALID
 * where the farm has several domains and none is named, and what `loadFarm` throws.
 */
export async function queryFarm(
  folder: string,
  statement: StatementOfFarm,
  { db, tableApi }: { readonly db?: string | undefined; readonly tableApi: TableApiStyle },
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const farm = await loadFarm(folder, db === undefined ? {} : { only: [db] });
  const [domain, ...others] = farm.domains;
  if (!domain || others.length > 0) {
    const names = farm.domains.map(({ service }) => service.db).join(', ');
    throw new UserError('OPTION_INVALID', '--db', `name the domain: ${names}`);
  }
  const app = await buildApp({ domains: [domain], tableApi });
  try {
    const { split, db: name } = domain.service;
    const url = `${domainPath(split, name)}/sql`;
    const answer = await app.inject({ method: 'POST', url, payload: { ...statement } });
    return answer.statusCode === 200 ? { text: answer.body } : { problem: (answer.json() as Problem).detail };
  } finally {
    await app.close();
  }
}

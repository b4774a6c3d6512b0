import type { Command } from 'commander';
import type { Problem } from '../../contracts/api.ts';
import { OptionError, UserError } from '../../contracts/errors.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import {
  DEFAULT_TABLE_API_STYLE,
  EXECUTORS,
  type Executor,
  planAnswer,
  TABLE_API_STYLES,
  type TableApiStyle,
} from '../../contracts/hybrid.ts';
import { domainPath } from '../../contracts/paths.ts';
import { counted } from '../../contracts/wording.ts';
import { buildApp, loadFarm } from '../../services/index.ts';
import { choice, wholeNumber } from '../options.ts';
import { textTable } from '../terminal.ts';

interface QueryFlags extends Omit<StatementOfFarm, 'sql'> {
  readonly db?: string;
  readonly tableApi: TableApiStyle;
  readonly json: boolean;
}

/** `rookery query <farm> <sql>`: runs a statement over tables and APIs, and prints its plan. */
export function register(program: Command): void {
  const command = program
    .command('query')
    .description('run SQL over tables and APIs of a farm, and show what it took (docs/hybrid.md)')
    .argument('<farm>', 'folder made by `rookery generate`')
    .argument('<sql>', 'one SELECT of SQLite');
  withHiddenTables(command)
    .addOption(choice('--executor <name>', 'http: over APIs; functions: all in SQLite', EXECUTORS, 'http'))
    .option('--json', 'print the whole answer as JSON', false)
    .action(async (farm: string, sql: string, { db, tableApi, json, ...request }: QueryFlags) => {
      const answer = await queryFarm(farm, { sql, ...request }, { db, tableApi });
      if ('problem' in answer) throw new UserError('STATEMENT_FAILED', farm, answer.problem);
      process.stdout.write(json ? `${answer.text}\n` : planReport(answer.text));
    });
}

export interface StatementOfFarm {
  readonly sql: string;
  readonly share: number;
  readonly seed: number;
  readonly executor: Executor;
}

/**
 * The response of a farm's service to a statement, as JSON text, or the problem with the statement. Throws
 * OPTION_INVALID if the farm has several domains and none is named, and the errors of `loadFarm`.
 */
export async function queryFarm(
  folder: string,
  statement: StatementOfFarm,
  { db, tableApi }: { readonly db?: string | undefined; readonly tableApi: TableApiStyle },
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const domain = await onlyDomain(folder, db);
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

/** Adds the options that choose a domain, its hidden tables and the style of their APIs. */
export function withHiddenTables(command: Command): Command {
  return command
    .option('--db <name>', 'the domain; the only one unless given')
    .option('--share <percent>', 'of the tables that are hidden and read by API', wholeNumber(0, 100), 0)
    .option('--seed <number>', 'by which they are drawn', wholeNumber(0, 999_999_999), 0)
    .addOption(
      choice(
        '--table-api <style>',
        'how much the APIs of tables can do',
        TABLE_API_STYLES,
        DEFAULT_TABLE_API_STYLE,
      ),
    );
}

/** The named domain of a farm, or its only one. Throws OPTION_INVALID if there are several, and the errors of `loadFarm`. */
export async function onlyDomain(folder: string, db: string | undefined) {
  const { domains } = await loadFarm(folder, db === undefined ? {} : { only: [db] });
  const [domain, ...others] = domains;
  if (domain && others.length === 0) return domain;
  throw new OptionError('--db', `name the domain: ${domains.map(({ service }) => service.db).join(', ')}`);
}

const MOST_ROWS = 50;

/** Formats a statement's response for a terminal: its rows, and the API requests made. */
export function planReport(text: string): string {
  const { columns, data, row_count, truncated, executor, hidden, plan, calls, rows_moved } = planAnswer.parse(
    parseExactJson(text),
  );
  const rows = data.slice(0, MOST_ROWS).map((row) => columns.map((name) => shown(row[name] ?? null)));
  const left = row_count - rows.length;
  const parts = [textTable(columns, rows)];
  if (left > 0 || truncated)
    parts.push(`… and ${left}${truncated ? ' or more' : ''} rows more; --json shows them`);
  parts.push(
    `\n${counted(row_count, 'row')}; executor ${executor}; read by API: ${hidden.join(', ') || 'no table'}`,
  );
  if (executor === 'http') {
    const steps = plan.map((step, i) => [
      i + 1,
      step.api,
      step.alias ?? '',
      step.by,
      step.keys,
      step.calls,
      step.pages,
      step.rows,
    ]);
    if (plan.length > 0)
      parts.push(textTable(['step', 'API', 'as', 'by', 'keys', 'calls', 'pages', 'rows'], steps));
    parts.push(`${counted(calls, 'call')}, ${counted(rows_moved, 'row')} moved`);
  }
  return `${parts.join('\n')}\n`;
}

function shown(value: string | number | bigint | null): string | number {
  return value === null ? 'NULL' : typeof value === 'bigint' ? String(value) : value;
}

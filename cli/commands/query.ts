import { type Command, Option } from 'commander';
import { UserError } from '../../contracts/errors.ts';
import { EXECUTORS, type Executor } from '../../contracts/plan.ts';
import { DEFAULT_TABLE_API_STYLE, TABLE_API_STYLES, type TableApiStyle } from '../../contracts/table-api.ts';
import { wholeNumber } from '../options.ts';
import { planReport } from '../plan-report.ts';
import { queryFarm } from '../query-farm.ts';

interface QueryFlags {
  readonly db?: string;
  readonly share: number;
  readonly seed: number;
  readonly executor: Executor;
  readonly tableApi: TableApiStyle;
  readonly json: boolean;
}

/** `rookery query <farm> <sql>`: a statement over visible tables, hidden ones read by API, and scalar APIs; and what it took. */
export function register(program: Command): void {
  program
    .command('query')
    .description('run SQL over tables and APIs of a farm, and show what it took (docs/hybrid.md)')
    .argument('<farm>', 'folder made by `rookery generate`')
    .argument('<sql>', 'one SELECT of SQLite')
    .option('--db <name>', 'the domain; the only one unless given')
    .option('--share <percent>', 'of the tables that are hidden and read by API', wholeNumber(0, 100), 0)
    .option('--seed <number>', 'by which they are drawn', wholeNumber(0, 999_999_999), 0)
    .addOption(
      new Option('--executor <name>', 'http: over APIs; functions: all in SQLite')
        .choices([...EXECUTORS])
        .default('http'),
    )
    .addOption(
      new Option('--table-api <style>', 'how much the APIs of tables can do')
        .choices([...TABLE_API_STYLES])
        .default(DEFAULT_TABLE_API_STYLE),
    )
    .option('--json', 'print the whole answer as JSON', false)
    .action(async (farm: string, sql: string, { db, tableApi, json, ...asked }: QueryFlags) => {
      const answer = await queryFarm(farm, { sql, ...asked }, { db, tableApi });
      if ('problem' in answer) throw new UserError('STATEMENT_FAILED', farm, answer.problem);
      process.stdout.write(json ? `${answer.text}\n` : planReport(answer.text));
    });
}

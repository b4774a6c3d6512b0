import { type Command, Option } from 'commander';
import { DEFAULT_TABLE_API_STYLE, TABLE_API_STYLES, type TableApiStyle } from '../../contracts/hybrid.ts';
import { domainView, VIEW_FORMS, type ViewForm } from '../../services/index.ts';
import { wholeNumber } from '../options.ts';
import { onlyDomain } from './query.ts';

interface ViewFlags {
  readonly db?: string;
  readonly share: number;
  readonly seed: number;
  readonly tableApi: TableApiStyle;
  readonly as: ViewForm;
}

/** `rookery view <farm>`: the tables that statements see, and the APIs behind some of them. */
export function register(program: Command): void {
  program
    .command('view')
    .description(
      'show the tables that SQL over tables and APIs sees, and the API behind each (docs/hybrid.md)',
    )
    .argument('<farm>', 'folder made by `rookery generate`')
    .option('--db <name>', 'the domain; the only one unless given')
    .option('--share <percent>', 'of the tables that are hidden and read by API', wholeNumber(0, 100), 0)
    .option('--seed <number>', 'by which they are drawn', wholeNumber(0, 999_999_999), 0)
    .addOption(
      new Option('--as <form>', 'sql: the tables alike; openapi: the APIs; text: a line for each table')
        .choices([...VIEW_FORMS])
        .default('sql'),
    )
    .addOption(
      new Option('--table-api <style>', 'how much the APIs of tables can do')
        .choices([...TABLE_API_STYLES])
        .default(DEFAULT_TABLE_API_STYLE),
    )
    .action(async (farm: string, { db, share, seed, tableApi, as }: ViewFlags) => {
      const { service } = await onlyDomain(farm, db);
      process.stdout.write(domainView(service, { share, seed }, tableApi, as));
    });
}

import type { Command } from 'commander';
import type { TableApiStyle } from '../../contracts/hybrid.ts';
import { domainView, VIEW_FORMS, type ViewForm } from '../../services/index.ts';
import { choice } from '../options.ts';
import { onlyDomain, withHiddenTables } from './query.ts';

interface ViewFlags {
  readonly db?: string;
  readonly share: number;
  readonly seed: number;
  readonly tableApi: TableApiStyle;
  readonly as: ViewForm;
}

/** `rookery view <farm>`: the tables that statements see, and the APIs behind some of them. */
export function register(program: Command): void {
  const command = program
    .command('view')
    .description(
      'show the tables that SQL over tables and APIs sees, and the API behind each (docs/hybrid.md)',
    )
    .argument('<farm>', 'folder made by `rookery generate`');
  withHiddenTables(command)
    .addOption(
      choice(
        '--as <form>',
        'sql: the tables alike; openapi: the APIs; text: a line for each table',
        VIEW_FORMS,
        'sql',
      ),
    )
    .action(async (farm: string, { db, share, seed, tableApi, as }: ViewFlags) => {
      const { service } = await onlyDomain(farm, db);
      process.stdout.write(domainView(service, { share, seed }, tableApi, as));
    });
}

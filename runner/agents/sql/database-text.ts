import type { ClientTask } from '../../../client/index.ts';
import type { AgentSettings } from '../../settings/agent-settings.ts';
import type { FarmData } from '../agent.ts';

/** What a model is told of a database: its tables, what its columns mean, and rows to look at, as far as asked for. */
export async function databaseText(
  { db }: Pick<ClientTask, 'db'>,
  data: FarmData,
  { schema, sample_rows }: AgentSettings,
): Promise<string> {
  const descriptions = schema === 'ddl' ? '' : await data.descriptions(db);
  return [
    await data.ddl(db),
    descriptions === '' ? '' : `What the columns mean:\n${descriptions}`,
    sample_rows > 0 ? `The first rows:\n${await data.firstRows(db, sample_rows)}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

import type { Rookery } from '../../client/index.ts';
import { addressOf } from '../../contracts/formulations/call-request.ts';
import { rest } from '../../contracts/formulations/rest.ts';
import type { FarmData } from '../agents/agent.ts';
import { restRows } from '../attempt/rest-rows.ts';
import type { Candidate, ComposerFarm } from '../categories/composer.ts';
import type { ModelTool } from '../model/model.ts';

/** Values of a column that are looked at. */
const MOST_VALUES = 500;

/** A farm as composing sees it: its tools are asked for once a domain. */
export function composerFarm(client: Rookery, data: FarmData): ComposerFarm {
  const tools = new Map<string, Promise<ReadonlyMap<string, ModelTool>>>();
  const toolsOf = async (sampleId: string) => {
    const list = await client.tools(sampleId, 'plain');
    return new Map(list.tools.map((tool) => [tool.name, tool]));
  };
  return {
    async toolOf({ task, tool }) {
      const known = tools.get(task.db) ?? toolsOf(task.sample_id);
      tools.set(task.db, known);
      return (await known).get(tool) ?? null;
    },
    values: (db, table, column) => data.values(db, table, column, MOST_VALUES),
    async rows(candidate, args) {
      const response = await client.send(requestOf(candidate, args));
      return response.ok ? restRows(await response.text()) : null;
    },
  };
}

function requestOf({ task, tool, sample }: Candidate, args: Readonly<Record<string, unknown>>): string {
  const service = { split: task.split, db: task.db, endpoints: [] };
  return addressOf(rest.requestOf(service, { name: tool, arguments: args, path: sample.output[0]?.path }));
}

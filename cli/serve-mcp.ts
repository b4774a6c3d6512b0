import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { OptionError } from '../contracts/errors.ts';
import type { ListAddress } from '../services/agents/toolsets/list-address.ts';
import { chooseDomains } from '../services/base/farm.ts';
import {
  type AgentOptions,
  agentContext,
  agentOptions,
  buildApp,
  createMcpServer,
  HttpProblem,
  listSession,
  loadFarm,
} from '../services/index.ts';

/** Serves a farm's tool list over stdio until the input ends. Throws OPTION_INVALID and the errors of loadFarm. */
export function serveMcp(
  folder: string,
  address: ListAddress,
  options: Pick<AgentOptions, 'faults'> = {},
): Promise<void> {
  return withList(folder, address, options, async (surface) => {
    const closed = new Promise<void>((resolve) => {
      process.stdin.once('end', resolve);
      process.stdin.once('close', resolve);
      process.once('SIGTERM', resolve);
      process.once('SIGINT', resolve);
    });
    const server = serveStdio(() => createMcpServer(surface));
    await closed;
    await server.close();
  });
}

/** Throws OPTION_INVALID for a list that the farm does not have, and the errors of loadFarm. */
export function checkList(folder: string, address: ListAddress): Promise<void> {
  return withList(folder, address, {}, async () => {});
}

async function withList(
  folder: string,
  address: ListAddress,
  options: Pick<AgentOptions, 'faults'>,
  use: (surface: ReturnType<typeof listSession>) => Promise<void>,
): Promise<void> {
  const farm = await loadFarm(folder);
  if ('db' in address.subject) chooseDomains(farm.farm, [address.subject.db], '--db');
  const app = await buildApp({ ...farm, plugins: [] });
  try {
    const services = farm.domains.map(({ service }) => service);
    const context = await agentContext(
      app,
      services,
      agentOptions(farm, { ...options, allowCode: address.options.via === 'code' }),
    );
    await use(listSession(context, address));
  } catch (error) {
    if (error instanceof HttpProblem) throw new OptionError(folder, error.message, { cause: error });
    throw error;
  } finally {
    await app.close();
  }
}

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { UserError } from '../contracts/errors.ts';
import type { ListAddress } from '../services/agents/tool-lists/list-address.ts';
import {
  type AgentOptions,
  agentContext,
  agentOptions,
  buildApp,
  createMcpServer,
  HttpProblem,
  listSurface,
  loadFarm,
} from '../services/index.ts';

/** Serves a list of a farm's tools over standard input and output until the input ends. Throws as loadFarm, and OPTION_INVALID. */
export async function serveMcp(
  folder: string,
  address: ListAddress,
  options: Pick<AgentOptions, 'faults'> = {},
): Promise<void> {
  const farm = await loadFarm(folder);
  const app = await buildApp({ ...farm, plugins: [] });
  try {
    const services = farm.domains.map(({ service }) => service);
    const context = await agentContext(app, services, agentOptions(farm, options));
    const surface = listSurface(context, address);
    const closed = new Promise<void>((resolve) => {
      process.stdin.once('end', resolve);
      process.stdin.once('close', resolve);
      process.once('SIGTERM', resolve);
      process.once('SIGINT', resolve);
    });
    const server = serveStdio(() => createMcpServer(surface));
    await closed;
    await server.close();
  } catch (error) {
    if (error instanceof HttpProblem)
      throw new UserError('OPTION_INVALID', folder, error.message, { cause: error });
    throw error;
  } finally {
    await app.close();
  }
}

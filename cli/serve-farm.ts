import { startServer, stopOnSignals } from '../services/index.ts';

export interface ServeFarmOptions {
  readonly port: number;
  readonly host: string;
  readonly only?: readonly string[];
  readonly check?: boolean;
}

/** Serves a farm, says where, and returns once it listens; SIGTERM and Ctrl-C stop it. */
export async function serveFarm(
  folder: string,
  { port, host, only, check }: ServeFarmOptions,
): Promise<void> {
  const server = await startServer(folder, {
    port,
    host,
    ...(only ? { only } : {}),
    ...(check ? { check } : {}),
  });
  stopOnSignals(server);
  const { domains } = server.farm;
  const endpoints = domains.reduce((sum, { service }) => sum + service.endpoints.length, 0);
  process.stdout.write(
    `${domains.length} domains, ${endpoints} REST endpoints at ${server.address}/ (API reference: ${server.address}/docs/${domains[0]?.service.db ?? ''})\n`,
  );
}

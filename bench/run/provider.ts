import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Starts a model that knows the gold of a farm, in a process of its own. `address` is where that farm is served. */
export async function startProvider(
  address: string,
  folder: string,
  format: string,
  latencyMs: number,
): Promise<{ readonly address: string; stop(): void }> {
  const entry = fileURLToPath(new URL('provider-entry.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', entry, address, folder, format, String(latencyMs)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    return { address: line, stop: () => child.kill() };
  }
  throw new Error('the provider ended before it said where it is');
}

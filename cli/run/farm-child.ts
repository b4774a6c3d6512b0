import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, toWire } from '../../services/index.ts';
import type { FromFarmChild, ToFarmChild } from './farm-access.ts';

/** Started by `startFarmProcess`: serves a farm until its parent exits. Its run records are temporary. */
process.env.TZ = 'UTC';
// Ctrl-C reaches both processes; the current run still needs its farm.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

process.once('message', async (message) => {
  const { farm, harnessKey } = message as ToFarmChild;
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-run-'));
  const leave = () => rmSync(scratch, { recursive: true, force: true });
  process.once('exit', leave);
  try {
    const server = await startServer(farm, {
      port: 0,
      host: '127.0.0.1',
      logger: false,
      // Whether programs are allowed, the runner decides.
      agents: { runs: { place: join(scratch, 'runs.sqlite') }, harnessKey, allowCode: true },
    });
    process.once('disconnect', async () => {
      await server.stop();
      process.exit();
    });
    say({ kind: 'listening', address: server.address });
  } catch (error) {
    say({ kind: 'failed', error: toWire(error) }, () => process.exit());
  }
});

function say(message: FromFarmChild, onSent?: () => void): void {
  process.send?.(message, undefined, undefined, onSent);
}

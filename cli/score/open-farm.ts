import { type Formulation, formulation } from '../../contracts/sample.ts';
import type { Replay } from '../../eval/attempt/attempt.ts';
import { restUniverse, type ToolUniverse } from '../../eval/calls/tool-universe.ts';
import { loadFarm } from '../../services/base/farm.ts';

/** A farm opened for scoring: its tools, and its services in this process. */
export interface OpenFarm {
  readonly universe: ToolUniverse;
  readonly replay: Replay;
  close(): Promise<void>;
}

/**
 * Opens a farm for scoring samples of these formulations, without listening. Its databases are opened by the first
 * replay. Throws FARM_NOT_FOUND or FARM_INVALID.
 */
export async function openFarm(
  folder: string,
  formulations: Iterable<Formulation> = formulation.options,
): Promise<OpenFarm> {
  const loaded = await loadFarm(folder);
  const services = loaded.domains.map(({ service }) => service);
  const needsTools = [...formulations].some((each) => each !== 'rest');
  const universe = needsTools ? (await import('./replay.ts')).farmUniverse(services) : restUniverse(services);
  const open = async () => {
    const [{ buildApp }, { farmReplay, REPLAY_LIMITS }] = await Promise.all([
      import('../../services/domain/app.ts'),
      import('./replay.ts'),
    ]);
    const app = await buildApp({ ...loaded, limits: REPLAY_LIMITS, logger: false });
    return { app, replay: farmReplay(app, services) };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    universe,
    async replay(...made) {
      opened ??= open();
      return (await opened).replay(...made);
    },
    async close() {
      await (await opened)?.app.close();
    },
  };
}

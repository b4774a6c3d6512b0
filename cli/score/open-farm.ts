import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import type { Replay } from '../../eval/score/replay.ts';
import { buildApp, loadFarm } from '../../services/index.ts';
import { farmReplay } from './farm-replay.ts';
import { farmUniverse } from './farm-universe.ts';

/** A farm as scoring needs it: its tools, and its services in this process. */
export interface OpenFarm {
  readonly universe: ToolUniverse;
  readonly replay: Replay;
  close(): Promise<void>;
}

/** Opens a farm for scoring; nothing listens. Throws FARM_NOT_FOUND or FARM_INVALID. */
export async function openFarm(folder: string): Promise<OpenFarm> {
  const loaded = await loadFarm(folder);
  const app = await buildApp({ ...loaded, limits: REPLAY_LIMITS, logger: false });
  const services = loaded.domains.map(({ service }) => service);
  return { universe: farmUniverse(services), replay: farmReplay(app, services), close: () => app.close() };
}

/** Gold answers are complete, so replayed ones must be: only answers too large to compare in memory are truncated. */
export const REPLAY_LIMITS = { maxRows: 1_000_000, maxBytes: 256 * 1024 * 1024 };

import type { FaultProfile } from '../../../contracts/fault.ts';
import type { ServedFarm } from '../../../contracts/served-farm.ts';
import type { Service } from '../../../contracts/service.ts';
import type { Backend } from '../backend/backend.ts';
import type { UnrecordedCalls } from '../faults/unrecorded-calls.ts';
import type { HarnessKey } from '../planes/harness-key.ts';
import type { LiveRuns } from '../runs/live-runs.ts';
import type { RunMetrics } from '../runs/run-metrics.ts';
import type { AnswerJudge, GoldReader, Reviewer, Scorer, Verifier } from '../runs/scorer.ts';
import type { TaskBook } from '../tasks/task-book.ts';
import type { ToolLists } from '../tool-lists/tool-lists.ts';

/** All that the routes for agents and their harnesses need, in the process of a service as in a gateway's. */
export interface AgentContext {
  /** By domain. */
  readonly services: ReadonlyMap<string, Service>;
  readonly tasks: TaskBook;
  readonly lists: ToolLists;
  readonly backend: Backend;
  /** null: no runs are recorded here. */
  readonly runs: LiveRuns | null;
  readonly runMetrics: RunMetrics;
  /** null: runs are not scored here. */
  readonly scorer: Scorer | null;
  /** null: runs are not verified here. */
  readonly verifier: Verifier | null;
  /** null: runs are not put beside their gold here. */
  readonly reviewer: Reviewer | null;
  /** null: this process cannot read the gold. */
  readonly gold: GoldReader | null;
  /** null: answers are not judged here. */
  readonly judge: AnswerJudge | null;
  /** A file of the leaderboard, undefined where there is none of that path; null: there is no leaderboard here. */
  readonly board: ((path: string) => string | undefined) | null;
  /** Of runs that do not choose for themselves; null: none. Other calls meet those of `unrecorded`. */
  readonly faults: FaultProfile | null;
  /** null: calls outside of runs meet no faults. */
  readonly unrecorded: UnrecordedCalls | null;
  readonly harnessKey: HarnessKey;
  /** Whether agents reach their runs only. */
  readonly exam: boolean;
  /** Whether the harness has a port of its own. */
  readonly ownPort: boolean;
  /** In an exam: of the names and orders that lists have. */
  readonly examKey: string | null;
  /** sha256 of farm.json. */
  readonly farmHash: string;
  /** What the farm says of itself; null where services are of none. */
  readonly farm: (() => Promise<ServedFarm>) | null;
  /** The number of this process among those that share the farm's runs, from 0. */
  readonly process: number;
}

import { afterAll, beforeAll } from 'vitest';
import { type AgentRun, Rookery, type Run, AgentRun as RunAt } from '../../client/index.ts';
import { HARNESS_KEY, openSmallFarm, type SmallFarm } from '../../services/testing/small-farm.ts';
import { type Attacker, attackerAt } from './attacker.ts';

/** The small farm as it is served: whoever gives the exam has the key, an agent the address of its run. */
export interface ServedExam {
  readonly small: SmallFarm;
  readonly harness: Rookery;
  readonly attacker: Attacker;
  /** A run as its agent has it. */
  agentOf(run: Run): AgentRun;
}

/** Serves the small farm for the tests of a file or of a `describe`: opened before them, closed after them. */
export function servedExam(options: Parameters<typeof openSmallFarm>[0] = { exam: true }): ServedExam {
  let opened: Pick<ServedExam, 'small' | 'harness' | 'attacker'> | undefined;
  const get = () => {
    if (!opened) throw new Error('the farm is served while tests run');
    return opened;
  };
  beforeAll(async () => {
    const small = await openSmallFarm(options);
    const address = await small.app.listen({ port: 0 });
    const harness = new Rookery(address, { harnessKey: HARNESS_KEY });
    opened = { small, harness, attacker: attackerAt(address) };
  });
  afterAll(() => opened?.small.close());
  return {
    get small() {
      return get().small;
    },
    get harness() {
      return get().harness;
    },
    get attacker() {
      return get().attacker;
    },
    agentOf: (run) => RunAt.at(run.address),
  };
}

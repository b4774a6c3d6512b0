import { afterAll, beforeAll } from 'vitest';
import { type OpenedFarm, openFarmAccess } from '../../cli/run/farm-access.ts';
import { type OpenFarm, openFarm } from '../../cli/score/open-farm.ts';
import type { RunConfigInput } from '../../runner/files/run-config.ts';
import { farmOf, splitFolder } from './farms.ts';
import { runCellOn } from './run-cell-on.ts';

/** A farm as the tests of a file have it. */
export interface ServedFarm {
  readonly farm: OpenedFarm;
  readonly open: OpenFarm;
  /** Runs a configuration on it, and scores that. */
  run(input: RunConfigInput, more?: Parameters<typeof runCellOn>[3]): ReturnType<typeof runCellOn>;
}

/**
 * Serves a farm from before the first test of a file until after the last one: the bundled one, unless `make` gives the
 * folder of another.
 */
export function servedFarm({
  withSplit = false,
  make = () => farmOf('bundled'),
}: {
  readonly withSplit?: boolean;
  readonly make?: () => Promise<string>;
} = {}): ServedFarm {
  let [farm, open]: [OpenedFarm | null, OpenFarm | null] = [null, null];
  beforeAll(async () => {
    const folder = await make();
    farm = await openFarmAccess(folder, withSplit ? { split: await splitFolder('bundled') } : {});
    open = await openFarm(folder);
  }, 600_000);
  afterAll(async () => {
    await open?.close();
    await farm?.close();
  });
  const served = {
    get farm() {
      if (farm === null) throw new Error('the farm is served while tests run, and not before');
      return farm;
    },
    get open() {
      if (open === null) throw new Error('the farm is open while tests run, and not before');
      return open;
    },
    run: (input: RunConfigInput, more?: Parameters<typeof runCellOn>[3]) =>
      runCellOn(served.farm, served.open, input, more),
  };
  return served;
}

import type { Farm } from '../../contracts/farm.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import type { World } from '../../contracts/world.ts';
import { emitCompose } from '../emit/compose/emit-compose.ts';
import { emitKubernetes } from '../emit/kubernetes/emit-kubernetes.ts';
import { isFarm } from '../write/is-farm.ts';
import { openOutputFolder } from '../write/write-folder.ts';
import { emitWorld } from './emit-world.ts';
import { flagGuessable } from './flag-guessable.ts';
import { proveWorld, type WorldProgress } from './prove-world.ts';
import { readOrigin } from './read-origin.ts';

export interface MakeWorldOptions {
  /** Any text; whoever has the farm can make the world again from it. */
  readonly seed: string;
  /** Folder of the world; an existing farm is replaced. */
  readonly out: string;
  /** Only these domains. */
  readonly only?: readonly string[];
  /** How long one query may run. */
  readonly timeoutMs: number;
  /** Child processes; one a core unless given. */
  readonly jobs?: number;
  /** Also write manifests for Kubernetes. */
  readonly kubernetes?: boolean;
  /** The most services that share the domains in containers. */
  readonly services?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: WorldProgress) => void;
}

export interface WorldSummary {
  readonly farm: Farm;
  readonly world: World;
}

/**
 * Makes a world of a farm: a farm with the same questions, endpoints and tools over other data, with gold of its own,
 * proven there. The same farm and seed give the same bytes. Throws UserErrors of reading the farm and of writing, and
 * INTERRUPTED when the signal aborts.
 */
export async function makeWorld(folder: string, options: MakeWorldOptions): Promise<WorldSummary> {
  const { seed, out, only, timeoutMs, jobs, signal, onProgress } = options;
  const origin = await readOrigin(folder, only);
  const output = await openOutputFolder(out, { isOurs: isFarm, ...(signal ? { signal } : {}) });
  try {
    const proven = await output.during(
      proveWorld(origin, {
        seed,
        timeoutMs,
        scratch: output.scratch,
        ...(jobs === undefined ? {} : { jobs }),
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      }),
    );
    const domains = flagGuessable(proven);
    const containers = options.services ? { services: options.services } : {};
    const { farm, world, files } = await output.during(
      emitWorld(origin, domains, {
        seed,
        generatorVersion: packageVersion,
        extraFiles: (made) => [
          ...emitCompose(made, containers),
          ...(options.kubernetes ? emitKubernetes(made, containers) : []),
        ],
      }),
    );
    await output.write(files);
    return { farm, world };
  } finally {
    output.close();
  }
}

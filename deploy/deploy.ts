import type { Farm } from '../contracts/farm.ts';
import type { FarmFile } from '../generator/write/write-file.ts';
import { emitCompose } from './compose.ts';
import { emitKubernetes } from './kubernetes/emit-kubernetes.ts';

export interface DeployOptions {
  /** Also manifests for Kubernetes. */
  readonly kubernetes?: boolean;
  /** The most services that share the domains. */
  readonly services?: number;
}

/** The files by which a farm runs in containers: a Compose file and, if asked for, manifests for Kubernetes. */
export function deploymentFiles(farm: Farm, { kubernetes, services }: DeployOptions): FarmFile[] {
  const containers = services === undefined ? {} : { services };
  return [...emitCompose(farm, containers), ...(kubernetes ? emitKubernetes(farm, containers) : [])];
}

import type { Farm } from '../contracts/farm.ts';
import type { FarmFile } from '../generator/write/write-folder.ts';
import { emitCompose } from './compose.ts';
import { emitKubernetes } from './kubernetes/emit-kubernetes.ts';

export interface DeployOptions {
  /** Also emit manifests for Kubernetes. */
  readonly kubernetes?: boolean;
  /** Maximum number of services that share the domains. */
  readonly services?: number;
}

/** The files for running a farm in containers: Compose files and, optionally, manifests for Kubernetes. */
export function deploymentFiles(farm: Farm, { kubernetes, services }: DeployOptions): FarmFile[] {
  const containers = services === undefined ? {} : { services };
  return [...emitCompose(farm, containers), ...(kubernetes ? emitKubernetes(farm, containers) : [])];
}

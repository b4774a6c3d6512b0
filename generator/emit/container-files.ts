import type { Farm } from '../../contracts/farm.ts';
import type { FarmFile } from '../write/write-file.ts';
import { emitCompose } from './compose/emit-compose.ts';
import { emitKubernetes } from './kubernetes/emit-kubernetes.ts';

export function containerFiles(
  farm: Farm,
  { kubernetes, services }: { readonly kubernetes?: boolean; readonly services?: number },
): FarmFile[] {
  return [...emitCompose(farm, { services }), ...(kubernetes ? emitKubernetes(farm, { services }) : [])];
}

import { collectionTools } from '../../contracts/query-variants.ts';
import type { Call } from '../../contracts/sample.ts';
import { renameArguments } from './rename-arguments.ts';
import type { OfferedTools } from './tool-lists.ts';

/** A call of the farm as the list of tools has it: under its names, or as one of a tool for its collection. */
export function offeredCall(
  call: Pick<Call, 'name' | 'arguments'>,
  { tools, real }: Pick<OfferedTools, 'tools' | 'real'>,
): Pick<Call, 'name' | 'arguments'> {
  for (const [shown, { name, args }] of real) {
    if (name !== call.name) continue;
    const hidden = new Map([...args].map(([alias, inTruth]) => [inTruth, alias]));
    return { name: shown, arguments: renameArguments(call.arguments, hidden) as Call['arguments'] };
  }
  const { collection_name: collection, ...others } = call.arguments;
  const isOffered = (wanted: string) => tools.some(({ name }) => name === wanted);
  if (isOffered(call.name) || typeof collection !== 'string') return call;
  const [own] = collectionTools([collection]).keys();
  return own !== undefined && isOffered(own) ? { name: own, arguments: others } : call;
}

import { FORMULATIONS } from '../../contracts/formulations/registry.ts';
import type { Call, Formulation } from '../../contracts/sample.ts';

/**
 * A SLOT or SEL call under the names of arguments that Live API-Bench's own tools have: a table is `data` there, and
 * `data_source` in the paper and here. Everything else is the same, and so are calls of endpoints.
 */
export function toNativeCall<Given extends Pick<Call, 'arguments'>>(call: Given, kind: Formulation): Given {
  return renamed(call, kind, 'data_source', 'data');
}

/** The call under our names; one that has them already stays as it is. */
export function fromNativeCall<Given extends Pick<Call, 'arguments'>>(call: Given, kind: Formulation): Given {
  return renamed(call, kind, 'data', 'data_source');
}

function renamed<Given extends Pick<Call, 'arguments'>>(
  call: Given,
  kind: Formulation,
  from: string,
  to: string,
): Given {
  const { arguments: given } = call;
  if (FORMULATIONS[kind].calls === 'single' || !Object.hasOwn(given, from) || Object.hasOwn(given, to))
    return call;
  const args = Object.entries(given).map(([name, value]) => [name === from ? to : name, value]);
  return { ...call, arguments: Object.fromEntries(args) };
}

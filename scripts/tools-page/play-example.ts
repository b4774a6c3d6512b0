import type { FastifyInstance } from 'fastify';
import { mapReferences } from '../../contracts/assemble-answer.ts';
import type { Call } from '../../contracts/sample.ts';
import { initializeActiveData } from '../../services/domain/tools/tools/initialize-active-data.ts';
import { STARTS } from './example-shop.ts';

/** A call as it was sent, and its response. */
export interface Played {
  readonly path: string;
  readonly arguments: unknown;
  readonly answer: unknown;
}

/** Makes the calls of an example one after the other. Throws when one is refused. */
export async function playExample(
  app: FastifyInstance,
  formulation: string,
  calls: readonly Call[],
): Promise<Played[]> {
  const handles = new Map<string, string>();
  const send = async (name: string, args: unknown): Promise<Played> => {
    const path = `/v1/example/vet/${formulation}/${name}`;
    const response = await app.inject({ method: 'POST', url: path, payload: args as object });
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.body}`);
    return { path, arguments: args, answer: response.json() };
  };
  for (const [label, definition] of Object.entries(STARTS)) {
    handles.set(label, handleOf(await send(initializeActiveData.name, definition)));
  }
  const played: Played[] = [];
  for (const { name, arguments: given, label } of calls) {
    const args = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [
        key,
        withHandles(value, handles, NAMES_A_TABLE.test(key)),
      ]),
    );
    const done = await send(name, args);
    if (label !== undefined) handles.set(label, handleOf(done));
    played.push(done);
  }
  return played;
}

/** Arguments that are always a handle; elsewhere `$` marks distinguish it from a text. */
const NAMES_A_TABLE = /(^|_)data_source$|^(unique|truncate)_array$/;

function withHandles(value: unknown, handles: ReadonlyMap<string, string>, bare: boolean): unknown {
  return mapReferences(value, (label) => {
    const handle = handles.get(label);
    return handle === undefined || bare ? handle : `$${handle}$`;
  });
}

function handleOf({ answer }: Played): string {
  return (answer as { handle: string }).handle;
}

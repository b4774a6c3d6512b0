import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listenAlso } from './listen-also.ts';
import { takeUpgrades } from './upgrades.ts';

/** Requests that came by the port of a door. */
const cameByAdapterPort = new WeakSet<IncomingMessage>();

/** By which a process tells another of the same server that a request came so. */
export const DOOR_HEADER = 'x-rookery-door';

/** A request that came by the port of a door, to another process of the same server. */
export function markDoor(request: IncomingMessage): void {
  cameByAdapterPort.add(request);
}

/** Whether a request came by the port of a door. */
export function cameByAdapter({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return cameByAdapterPort.has(raw);
}

/**
 * A port at whose root a door stands, for clients that take no path: whatever comes there goes below `/doors/<name>`, and
 * nowhere else. 0 takes any free one. Called before the app listens, it is closed with it. Resolves to its address.
 * Throws OPTION_INVALID when the port cannot be had; then the app is closed.
 */
export function listenForAdapter(
  app: FastifyInstance,
  { name, port, host }: { readonly name: string; readonly port: number; readonly host?: string | undefined },
): Promise<string> {
  const enter = (request: IncomingMessage) => {
    cameByAdapterPort.add(request);
    request.url = `/doors/${name}${request.url}`;
  };
  const upgrade = takeUpgrades(app, enter);
  return listenAlso(app, { port, host, option: '--door', arrived: enter, upgrade });
}

/** The ports of several doors. Resolves to their addresses, by their names. Throws likewise. */
export async function listenForAdapters(
  app: FastifyInstance,
  {
    door = [],
    host,
  }: {
    readonly door?: readonly { readonly name: string; readonly port: number }[] | undefined;
    readonly host?: string | undefined;
  },
): Promise<Record<string, string>> {
  const addresses: Record<string, string> = {};
  for (const each of door) addresses[each.name] = await listenForAdapter(app, { ...each, host });
  return addresses;
}

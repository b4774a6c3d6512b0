/** The standards by which episodes are played, each below `/doors/<name>`. */
export const ADAPTERS = ['ors', 'nemo-gym', 'openenv'] as const;
export type AdapterName = (typeof ADAPTERS)[number];

/** A door that has a port of its own. */
export interface AdapterPort {
  readonly name: AdapterName;
  readonly port: number;
}

const DOOR = new RegExp(`^(${ADAPTERS.join('|')})=(\\d{1,5})$`);

/** `ors=8090` as a door and its port; null for anything else. */
export function readAdapterPort(text: string): AdapterPort | null {
  const [, name, port] = DOOR.exec(text) ?? [];
  const door = ADAPTERS.find((each) => each === name);
  return door !== undefined && Number(port) <= 65_535 ? { name: door, port: Number(port) } : null;
}

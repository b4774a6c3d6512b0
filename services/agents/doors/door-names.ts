/** The standards by which episodes are played, each below `/doors/<name>`. */
export const DOORS = ['ors', 'nemo-gym', 'openenv'] as const;
export type DoorName = (typeof DOORS)[number];

/** A door that has a port of its own. */
export interface DoorPort {
  readonly name: DoorName;
  readonly port: number;
}

const DOOR = new RegExp(`^(${DOORS.join('|')})=(\\d{1,5})$`);

/** `ors=8090` as a door and its port; null for anything else. */
export function readDoorPort(text: string): DoorPort | null {
  const [, name, port] = DOOR.exec(text) ?? [];
  const door = DOORS.find((each) => each === name);
  return door !== undefined && Number(port) <= 65_535 ? { name: door, port: Number(port) } : null;
}

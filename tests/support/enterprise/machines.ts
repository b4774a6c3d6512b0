import type Database from 'better-sqlite3';
import type { Random } from '../../../generator/variants/random.ts';

const MODELS = ['px-1', 'px-2', 'therm-a', 'therm-b', 'flow-7'];
const SITES = ['Aare', 'Birs', 'Inn', 'Linth', 'Reuss'];
const START = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;

/** Devices, what they measured (JSON payloads, states as bits, times in milliseconds) and their alarms. */
export function fillMachines(db: Database.Database, random: Random, readings: number): void {
  db.exec(`
    CREATE TABLE device (serial TEXT PRIMARY KEY, model TEXT, site TEXT, installed TEXT, features INTEGER, config TEXT,
      parent TEXT REFERENCES device (serial));
    CREATE TABLE reading (id INTEGER PRIMARY KEY, serial TEXT REFERENCES device (serial), ts_ms INTEGER, state INTEGER,
      payload TEXT);
    CREATE TABLE alarm (id INTEGER PRIMARY KEY, serial TEXT REFERENCES device (serial), code TEXT, raised TEXT,
      cleared TEXT, severity INTEGER);`);
  const devices = Math.max(40, Math.floor(readings / 100));
  const serial = (i: number) => `DEV-${String(i + 1).padStart(6, '0')}`;
  const pick = (values: readonly string[]) => values[random.below(values.length)] as string;
  const tenth = (value: number) => Math.round(value * 10) / 10;
  const moment = () =>
    new Date(START + random.below(365 * 24 * 60) * MINUTE).toISOString().slice(0, 19).replace('T', ' ');

  const device = db.prepare('INSERT INTO device VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (let i = 0; i < devices; i++) {
    const config = {
      interval: [10, 30, 60, 300][random.below(4)],
      limits: { low: random.below(10) - 5, high: 30 + random.below(20) },
      tags: Array.from({ length: random.below(4) }, () => pick(['roof', 'cellar', 'spare', 'leased'])),
      ...(random.chance(0.3)
        ? { owner: { team: pick(['north', 'south']), phone: `0${random.below(900_000)}` } }
        : {}),
    };
    device.run(
      serial(i),
      pick(MODELS),
      pick(SITES),
      moment().slice(0, 10),
      BigInt(random.below(32)),
      JSON.stringify(config),
      i > 0 && random.chance(0.4) ? serial(random.below(i)) : null,
    );
  }
  const reading = db.prepare('INSERT INTO reading VALUES (?, ?, ?, ?, ?)');
  for (let i = 0; i < readings; i++) {
    const payload = {
      t: random.chance(0.03) ? null : tenth(random.next() * 60 - 10),
      h: random.below(101),
      power: { volt: tenth(3 + random.next()), mains: random.chance(0.6) },
    };
    reading.run(
      BigInt(i + 1),
      serial(random.below(devices)),
      BigInt(START + i * MINUTE),
      BigInt(random.below(256)),
      JSON.stringify(payload),
    );
  }
  const alarm = db.prepare('INSERT INTO alarm VALUES (?, ?, ?, ?, ?, ?)');
  for (let i = 0; i < devices * 3; i++) {
    const raised = moment();
    alarm.run(
      BigInt(i + 1),
      serial(random.below(devices)),
      pick(['LOW', 'HIGH', 'LOST', 'DOOR']),
      raised,
      random.chance(0.2) ? null : raised.replace(/ \d\d:/, ' 23:'),
      BigInt(1 + random.below(4)),
    );
  }
}

import type Database from 'better-sqlite3';
import type { Random } from '../../../generator/variants/random.ts';

/** Columns that nobody has used for years: most are empty, some are flags. */
const FILLERS = { MATST: 210, KUNST: 120, AUFPO: 60 } as const;

const LANDS = ['DE', 'AT', 'CH', 'PL', 'FR', 'IT', 'NL'];
const GROUPS = ['ROH', 'HALB', 'FERT', 'HAWA', 'DIEN'];
const KINDS = ['TA', 'RE', 'SO', 'KB'];
const UNITS = ['ST', 'KG', 'M', 'L'];

/** Tables of an ERP: material, customer, order head (AUFKO) and order position (AUFPO); days are numbers. */
export function fillTrade(db: Database.Database, random: Random, positions: number): void {
  db.exec(`
    CREATE TABLE MATST (MATNR TEXT PRIMARY KEY, MTART TEXT, MATKL TEXT, MEINS TEXT, BRGEW REAL, NTGEW REAL,
      "GÜLTIG_AB" INTEGER, LVORM TEXT, "LÄNGE_MM" INTEGER, BITFL INTEGER${fillers('MATST')});
    CREATE TABLE KUNST (KUNNR TEXT PRIMARY KEY, NAME1 TEXT, LAND1 TEXT, ORT01 TEXT, KLIMK REAL, AUFSD TEXT,
      ERDAT INTEGER${fillers('KUNST')});
    CREATE TABLE AUFKO (VBELN INTEGER PRIMARY KEY, KUNNR TEXT REFERENCES KUNST (KUNNR), AUART TEXT, ERDAT INTEGER,
      NETWR REAL, WAERK TEXT, LIFSK TEXT, VDATU INTEGER);
    CREATE TABLE AUFPO (VBELN INTEGER REFERENCES AUFKO (VBELN), POSNR INTEGER, MATNR TEXT REFERENCES MATST (MATNR),
      KWMENG REAL, NETPR REAL, ABGRU TEXT, STATB INTEGER${fillers('AUFPO')}, PRIMARY KEY (VBELN, POSNR));`);
  const materials = Math.max(40, Math.floor(positions / 40));
  const customers = Math.max(30, Math.floor(positions / 60));
  const orders = Math.ceil(positions / 3);
  insert(db, 'MATST', materials, (i) => {
    const gross = round(random.next() * 80 + 0.5);
    return [
      `M-${String(i + 1).padStart(6, '0')}`,
      pick(random, GROUPS),
      `W${100 + random.below(12)}`,
      pick(random, UNITS),
      gross,
      random.chance(0.1) ? null : round(gross * 0.9),
      BigInt(day(random)),
      random.chance(0.05) ? 'X' : null,
      random.chance(0.2) ? null : BigInt(100 + random.below(4000)),
      BigInt(random.below(64)),
      ...filling(random, FILLERS.MATST),
    ];
  });
  insert(db, 'KUNST', customers, (i) => [
    `K${String(i + 1).padStart(5, '0')}`,
    `Customer ${String.fromCharCode(65 + (i % 26))}${i}`,
    pick(random, LANDS),
    `Town ${random.below(25)}`,
    random.chance(0.15) ? null : round(random.next() * 90_000),
    random.chance(0.1) ? '01' : null,
    BigInt(day(random)),
    ...filling(random, FILLERS.KUNST),
  ]);
  insert(db, 'AUFKO', orders, (i) => {
    const made = day(random);
    return [
      BigInt(4_500_000 + i),
      `K${String(random.below(customers) + 1).padStart(5, '0')}`,
      pick(random, KINDS),
      BigInt(made),
      round(random.next() * 20_000),
      random.chance(0.8) ? 'EUR' : 'CHF',
      random.chance(0.08) ? 'Z1' : null,
      random.chance(0.1) ? null : BigInt(made),
    ];
  });
  insert(db, 'AUFPO', positions, (i) => [
    BigInt(4_500_000 + (i % orders)),
    BigInt(10 * (Math.floor(i / orders) + 1)),
    `M-${String(random.below(materials) + 1).padStart(6, '0')}`,
    round(random.next() * 120),
    round(random.next() * 900),
    random.chance(0.07) ? 'A5' : null,
    BigInt(random.below(32)),
    ...filling(random, FILLERS.AUFPO),
  ]);
}

type Value = string | number | bigint | null;

function fillers(table: keyof typeof FILLERS): string {
  const names = Array.from(
    { length: FILLERS[table] },
    (_, i) => `Z${table.slice(0, 2)}F${String(i).padStart(3, '0')}`,
  );
  return names.map((name, i) => `, ${name} ${i % 3 === 0 ? 'INTEGER' : 'TEXT'}`).join('');
}

function filling(random: Random, count: number): Value[] {
  return Array.from({ length: count }, (_, i) => {
    if (random.chance(0.7)) return null;
    return i % 3 === 0 ? BigInt(random.below(3)) : pick(random, ['X', '', ' ']);
  });
}

function insert(
  db: Database.Database,
  table: string,
  count: number,
  row: (i: number) => readonly Value[],
): void {
  const width = row(0).length;
  const statement = db.prepare(
    `INSERT INTO ${table} VALUES (${Array.from({ length: width }, () => '?').join()})`,
  );
  for (let i = 0; i < count; i++) statement.run(...row(i));
}

function pick(random: Random, values: readonly string[]): string {
  return values[random.below(values.length)] as string;
}

function day(random: Random): number {
  return (2019 + random.below(5)) * 10_000 + (1 + random.below(12)) * 100 + 1 + random.below(28);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

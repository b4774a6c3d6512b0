import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growContainers, growStays } from './boxes.ts';
import { callRows, growCalls, growVessels } from './calls.ts';
import { growReadings, growStorage, growTrucks } from './gate.ts';
import { growBookingContainers, growChecks, growMoves, growStops } from './yard.ts';

/** Grows the container port's rows. */
export function generateContainerPort(source: Source): TableRows[] {
  const calls = growCalls(source);
  const containers = growContainers(source);
  const { bookings, stays } = growStays(source, containers, calls);
  const typeOf = new Map(source.rows('types.csv').map((row) => [row('code'), row]));
  const typeByNumber = new Map(containers.map((one) => [one.containerNo, typeOf.get(one.typeCode)]));
  const tare = (containerNo: string) => Number(typeByNumber.get(containerNo)?.('tare'));
  const feet = (containerNo: string) => Number(typeByNumber.get(containerNo)?.('feet'));
  return [
    { table: 'line', rows: source.copy('lines.csv', ['code', 'name', 'country']) },
    { table: 'vessel', rows: rowsOf(growVessels(source)) },
    { table: 'berth', rows: source.copy('berths.csv', ['no', 'quay', 'length', 'draught']) },
    { table: 'call', rows: rowsOf(callRows(calls)) },
    { table: 'container_type', rows: source.copy('types.csv', ['code', 'name', 'feet', 'tare']) },
    { table: 'container', rows: rowsOf(containers) },
    { table: 'booking', rows: bookings },
    { table: 'booking_container', rows: rowsOf(growBookingContainers(stays, tare)) },
    { table: 'crane', rows: source.copy('cranes.csv', ['no', 'kind', 'built', 'max']) },
    { table: 'crane_stop', rows: rowsOf(growStops()) },
    { table: 'move', rows: rowsOf(growMoves(stays, tare)) },
    { table: 'check', rows: rowsOf(growChecks(stays, tare)) },
    { table: 'storage_bill', rows: rowsOf(growStorage(stays, feet)) },
    { table: 'truck', rows: rowsOf(growTrucks(source, stays)) },
    { table: 'reefer_reading', rows: rowsOf(growReadings(stays, containers)) },
  ];
}

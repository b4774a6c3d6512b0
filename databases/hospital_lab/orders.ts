import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

interface Patient {
  patientId: number;
  initials: string;
  sex: string;
  born: string;
  blood: string | null;
}

/** The patients: initials only, and for a few only the year of birth. */
export function growPatients(): Patient[] {
  const random = createRandom('hospital_lab/patient');
  const letters = [...'ABCDEFGHIJKLMNOPRSTUVWZ'];
  return Array.from({ length: 720 }, (_, i) => {
    const born = addDays('1928-01-01', Math.floor(35_300 * Math.sqrt(random.next())));
    return {
      patientId: 60_001 + i,
      initials: `${random.pick(letters)}. ${random.pick(letters)}.`,
      sex: random.weighted({ F: 50, M: 49, X: 1 }),
      born: random.chance(0.02) ? born.slice(0, 4) : born,
      blood: random.chance(0.35)
        ? null
        : random.weighted({ '0+': 38, 'A+': 34, 'B+': 9, 'AB+': 4, '0-': 6, 'A-': 6, 'B-': 2, 'AB-': 1 }),
    };
  });
}

export interface Order {
  orderNo: number;
  patientId: number;
  ward: string;
  placed: string;
  urgency: string;
  doctor: string | null;
  cancelled: string | null;
}

/** Two years of orders: mornings and Mondays are busy, and a flu wave fills January and February. */
export function growOrders(source: Source, patients: readonly Patient[]): Order[] {
  const random = createRandom('hospital_lab/order');
  const wards = source.rows('wards.csv');
  const weights = Object.fromEntries(wards.map((row) => [row('ward'), Number(row('weight'))]));
  const doctors = source.words('doctors.txt');
  const orders: Order[] = [];
  for (let day = '2023-01-01'; day < '2025'; day = addDays(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const flu = /-0[12]-/.test(day) ? 2 : 0;
    const count = random.int(1, (weekday === 1 ? 5 : weekday % 6 === 0 ? 2 : 4) + flu);
    const times = Array.from({ length: count }, () => {
      const hour = random.chance(0.6) ? random.int(6, 10) : random.int(0, 23);
      return `${String(hour).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}`;
    }).sort();
    for (const time of times) {
      const code = random.weighted(weights);
      const urgent = Number(wards.find((row) => row('ward') === code)?.('urgent') ?? 0);
      const patient = random.pickSkewed(patients);
      if (patient.born > day) continue;
      orders.push({
        orderNo: 900_001 + orders.length,
        patientId: patient.patientId,
        ward: code,
        placed: `${day} ${time}`,
        urgency: random.weighted({ R: 8, U: urgent, L: urgent / 5 }),
        doctor: random.chance(0.05) ? null : random.pickSkewed(doctors),
        cancelled: random.chance(0.03)
          ? random.pick(['ordered twice', 'patient discharged', 'wrong patient'])
          : null,
      });
    }
  }
  return orders;
}

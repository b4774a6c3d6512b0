import { addDays } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Source } from '../source.ts';

interface Customer {
  customerNo: number;
  name: string;
  country: string | null;
  group: string | null;
  since: number;
  creditLimit: number | null;
  email: string | null;
}

/** The customers: branches of a few companies, with the spelling of whoever opened the account. */
export function growCustomers(source: Source): Customer[] {
  const random = createRandom('river_freight/customer');
  const companies = source.words('companies.txt');
  return Array.from({ length: 80 }, (_, i) => {
    const company = companies[i % companies.length] ?? '';
    const country = random.weighted({ DE: 8, NL: 6, FR: 4, BE: 3, CH: 2, AT: 2 });
    const form = { DE: 'GmbH', NL: 'B.V.', FR: 'SA', BE: 'NV', CH: 'AG', AT: 'GmbH' }[country];
    const domain = company.toLowerCase().replace(/[^a-z]+/g, '-');
    return {
      customerNo: 40010 + i * 7,
      name: `${random.chance(0.1) ? company.toUpperCase() : company} ${form}${random.chance(0.08) ? ' ' : ''}`,
      country: random.chance(0.04) ? null : country,
      group: random.weighted({ Agrivesk: 3, 'Norda Holding': 2, 'Tank & Trade': 2, '': 2, none: 6 }),
      since: random.int(1994, 2024),
      creditLimit: random.chance(0.1) ? null : random.int(2, 60) * 12500,
      email: random.chance(0.15) ? null : random.chance(0.06) ? '' : `dispo@${domain}.example`,
    };
  }).map((customer) => ({ ...customer, group: customer.group === 'none' ? null : customer.group }));
}

export interface Order {
  orderNo: number;
  customerNo: number;
  date: string;
  character: string | null;
  commodityCode: string;
  tonnes: number;
  fromPort: string;
  toPort: string;
  rate: number | null;
  status: string;
}

/** Three years of transport orders, one or two a day. */
export function growOrders(
  source: Source,
  customers: readonly Customer[],
  ports: readonly string[],
): Order[] {
  const random = createRandom('river_freight/order');
  const commodities = source.rows('commodities.csv');
  const weights = Object.fromEntries(commodities.map((row) => [`#${row('code')}`, Number(row('weight'))]));
  const rates = new Map(commodities.map((row) => [row('code'), Number(row('rate'))]));
  const orders: Order[] = [];
  let date = '2022-01-03';
  for (let orderNo = 22001; date < '2024-12-24'; orderNo++) {
    // The '#' keeps two-digit codes in the order of the file: bare integer keys would be sorted.
    const commodityCode = random.weighted(weights).slice(1);
    const fromPort = random.pickSkewed(ports);
    const toPort = random.pick(ports.filter((port) => port !== fromPort));
    const rate = (rates.get(commodityCode) ?? 8) * random.near(1.1, 0.45, 3);
    orders.push({
      orderNo,
      customerNo: random.pickSkewed(customers).customerNo,
      date,
      character: random.weighted({ contract: 60, spot: 30, Spot: 4, 'spot ': 3, CONTRACT: 2 }),
      commodityCode,
      tonnes: commodityCode > '34' ? random.int(40, 320) : random.near(1450, 1300) + random.pick([0, 0, 0.5]),
      fromPort,
      toPort,
      rate: random.chance(0.04) ? null : round(rate, 2),
      status: orderStatus(date, random.next()),
    });
    date = addDays(date, random.chance(0.4) ? 0 : random.int(1, 2));
  }
  return orders;
}

function orderStatus(date: string, dice: number): string {
  if (dice < 0.06) return 'C';
  if (date < '2024-11-25') return 'D';
  return dice < 0.6 ? 'P' : 'O';
}

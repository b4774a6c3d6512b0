import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Agent {
  agentId: number;
  name: string;
  team: string;
  hired: string;
  left: string | null;
  mentorId: number | null;
}

export interface Customer {
  customerId: number;
  name: string;
  kind: string;
  region: string;
  since: string;
  vip: number;
  phone: string | null;
}

export interface Subscription {
  customerId: number;
  productId: number;
  startMs: number;
  endMs: number | null;
}

/** The help desk, each newcomer with a mentor from the same team. */
export function growAgents(source: Source): Agent[] {
  const random = createRandom('telecom_tickets/agent');
  const first = source.words('first-names.txt');
  const last = source.words('last-names.txt');
  const agents: Agent[] = [];
  for (let i = 0; i < 46; i++) {
    const team =
      i < 4
        ? (['L1', 'L2', 'NOC', 'FIELD'][i] ?? 'L1')
        : random.weighted({ L1: 10, L2: 5, NOC: 3, FIELD: 6 });
    const hired = i < 4 ? addDays('2009-03-02', i * 200) : addDays('2013-01-07', random.int(0, 4000));
    const mentors = agents.filter((other) => other.team === team && other.hired < hired);
    agents.push({
      agentId: 301 + i,
      name: `${random.pick(first)} ${random.pick(last)}`,
      team,
      hired,
      left: i > 8 && random.chance(0.2) ? addDays('2023-09-30', random.int(0, 14) * 31) : null,
      mentorId: mentors.length > 0 ? random.pick(mentors).agentId : null,
    });
  }
  return agents;
}

/** The customers and what they subscribe to; there is no fibre on the islands and in the vineyards. */
export function growCustomers(source: Source): { customers: Customer[]; subscriptions: Subscription[] } {
  const random = createRandom('telecom_tickets/customer');
  const first = source.words('first-names.txt');
  const last = source.words('last-names.txt');
  const companies = source.words('companies.txt');
  const regions = source.rows('regions.csv');
  const products = source.rows('products.csv');
  const weights = Object.fromEntries(regions.map((row) => [row('region'), Number(row('homes'))]));
  const customers: Customer[] = [];
  const subscriptions: Subscription[] = [];
  for (let i = 0; i < 820; i++) {
    const company = companies[i];
    const kind = company === undefined ? 'P' : /Carrier|Wholesale/.test(company) ? 'W' : 'B';
    const region = random.weighted(weights);
    const since = addDays('2004-02-01', random.int(0, 7500));
    const customerId = 880_001 + i * 3;
    customers.push({
      customerId,
      name: company ?? `${random.pick(first)} ${random.pick(last)}`,
      kind,
      region,
      since,
      vip: kind === 'B' || random.chance(0.03) ? 1 : 0,
      phone: random.chance(0.08)
        ? null
        : `${random.pick(['+49 ', '0049', '0', '0'])}${random.int(150, 179)}${random.int(1_000_000, 9_999_999)}`,
    });
    const fibre = regions.find((row) => row('region') === region)?.('fibre') !== '';
    const wanted =
      kind === 'W'
        ? ['11']
        : kind === 'B'
          ? ['3', '7']
          : [
              random.pickSkewed(fibre ? ['2', '1', '5', '4'] : ['5', '4']),
              random.pick(['6', '7', '8', '9', '10']),
            ];
    for (const id of wanted.filter((_, place) => place === 0 || random.chance(0.55))) {
      const until = products.find((row) => row('id') === id)?.('until') || '2024-11-30';
      const start = addDays(since, random.int(0, 1500));
      const startMs =
        Date.parse(start < until ? start : since < until ? since : addDays(until, -90)) +
        random.int(7, 20) * 3_600_000;
      const ended = random.chance(0.16) ? startMs + random.int(200, 900) * 86_400_000 : null;
      subscriptions.push({
        customerId,
        productId: Number(id),
        startMs,
        endMs: ended !== null && ended < Date.parse('2024-12-15') ? ended : null,
      });
    }
  }
  return { customers, subscriptions };
}

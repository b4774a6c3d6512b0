import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';
import type { Agent, Customer, Subscription } from './people.ts';

interface Outage {
  outageId: number;
  region: string;
  kind: string;
  beganMs: number;
  endedMs: number | null;
  cause: string | null;
}

export interface Ticket {
  ticketId: number;
  customerId: number;
  productId: number | null;
  openedMs: number;
  closedMs: number | null;
  priority: number;
  status: string;
  channel: string;
  topic: string | null;
  agentId: number | null;
  mergedInto: number | null;
  outageId: number | null;
  limit: number | null;
}

interface Given {
  readonly customers: readonly Customer[];
  readonly subscriptions: readonly Subscription[];
  readonly agents: readonly Agent[];
  readonly outages: readonly Outage[];
}

const hourMs = 3_600_000;
const first = Date.parse('2023-01-02');
const today = Date.parse('2024-12-15');

/** Two years of outages; the cable to the islands was cut twice in the autumn of 2023. */
export function growOutages(source: Source): Outage[] {
  const random = createRandom('telecom_tickets/outage');
  const regions = source.rows('regions.csv').map((row) => row('region'));
  const chosen = Array.from({ length: 64 }, () => ({
    region: random.pick(regions),
    beganMs: first + random.int(0, 710 * 24) * hourMs + random.int(0, 3_599_999),
    hours: 0.3 + random.next() ** 3 * 30,
    cause: random.weighted({ digger: 5, 'power cut': 5, software: 6, overload: 3, storm: 3, unknown: 3 }),
  }));
  const islands = ['2023-09-28T04:12:09.250Z', '2023-11-14T17:40:51.008Z'].map((time, i) => ({
    region: 'NO2',
    beganMs: Date.parse(time),
    hours: 61 + i * 38,
    cause: 'anchor',
  }));
  return [...chosen, ...islands]
    .sort((a, b) => a.beganMs - b.beganMs)
    .map(({ region, beganMs, hours, cause }, i) => ({
      outageId: 501 + i,
      region,
      kind: cause === 'anchor' ? 'dsl' : random.weighted({ fibre: 5, dsl: 3, mobile: 4, tv: 2 }),
      beganMs,
      endedMs: i === 65 ? null : beganMs + Math.round(hours * hourMs),
      cause: cause === 'unknown' ? null : cause,
    }));
}

/** The tickets in the order of their numbers; an outage brings many at once, most of which are merged into the first. */
export function growTickets(source: Source, { customers, subscriptions, agents, outages }: Given): Ticket[] {
  const random = createRandom('telecom_tickets/ticket');
  const topics = Object.fromEntries(
    source.rows('topics.csv').map((row) => [row('topic'), Number(row('weight'))]),
  );
  const solve = new Map(
    source.rows('priorities.csv').map((row) => [Number(row('code')), Number(row('solve') || 400)]),
  );
  const products = new Map(source.rows('products.csv').map((row) => [Number(row('id')), row('kind')]));
  const drafts = [
    ...Array.from({ length: 2100 }, () => ({
      openedMs: workingTime(random),
      outage: undefined as Outage | undefined,
    })),
    ...outages.flatMap((outage) =>
      Array.from({ length: random.int(1, 12) }, () => ({
        openedMs: outage.beganMs + random.int(60_000, 3 * hourMs),
        outage,
      })),
    ),
  ].sort((a, b) => a.openedMs - b.openedMs);
  const leading = new Map<number, Ticket>();
  return drafts.map(({ openedMs, outage }, i) => {
    const customer = random.pick(
      outage === undefined ? customers : customers.filter(({ region }) => region === outage.region),
    );
    const own = subscriptions.filter(({ customerId }) => customerId === customer.customerId);
    const priority = outage
      ? random.int(1, 2)
      : customer.kind !== 'P'
        ? random.int(1, 3)
        : Number(random.weighted({ 2: 2, 3: 9, 4: 5, 5: 1.5 }));
    const hours = (solve.get(priority) ?? 48) * (0.05 + random.next() ** 2 * 2.2);
    const closedMs = openedMs + Math.round(hours * hourMs);
    // The backlog of the last two months.
    const isClosed = closedMs < today && !(openedMs > today - 60 * 24 * hourMs && random.chance(0.35));
    const topic = outage ? 'no connection' : random.weighted(topics);
    const team = outage ? 'NOC' : random.weighted({ L1: 7, L2: 3 });
    const main = outage && leading.get(outage.outageId);
    const merged = (main !== undefined && random.chance(0.75)) || false;
    const ticket: Ticket = {
      ticketId: 100_001 + i,
      customerId: customer.customerId,
      productId:
        (
          own.find(({ productId }) => products.get(productId) === outage?.kind) ??
          (random.chance(0.07) ? undefined : own[0])
        )?.productId ?? null,
      openedMs,
      closedMs: merged ? openedMs + random.int(5, 90) * 60_000 : isClosed ? closedMs : null,
      priority,
      status: merged
        ? 'merged'
        : isClosed
          ? random.weighted({ closed: 12, solved: 1 })
          : random.weighted({ new: 2, open: 5, waiting: 3 }),
      channel: random.weighted({
        phone: 9,
        mail: 5,
        app: openedMs > Date.parse('2023-06-01') ? 6 : 0,
        shop: 2,
      }),
      topic: random.chance(0.05) ? null : topic,
      agentId: null,
      mergedInto: merged && main !== undefined ? main.ticketId : null,
      outageId: outage !== undefined && random.chance(0.9) ? outage.outageId : null,
      limit: customer.kind === 'B' && random.chance(0.5) ? random.pick([2, 4, 8]) : null,
    };
    if (ticket.status !== 'new')
      ticket.agentId = random.pick(
        agents.filter((agent) => agent.team === team && isHere(agent, openedMs)),
      ).agentId;
    if (outage !== undefined && main === undefined) leading.set(outage.outageId, ticket);
    return ticket;
  });
}

export function isHere({ hired, left }: Agent, atMs: number): boolean {
  return Date.parse(hired) <= atMs && (left === null || Date.parse(left) > atMs);
}

/** More on Mondays and in the morning, and three times as much on the first days of a month, when the bills arrive. */
function workingTime(random: Random): number {
  for (;;) {
    const at = first + Math.floor(random.next() * (today - first));
    const time = new Date(at);
    const hour = time.getUTCHours();
    const busy =
      (hour >= 7 && hour < 12 ? 3 : hour < 20 && hour >= 12 ? 2 : 0.3) *
      (time.getUTCDay() === 1 ? 1.5 : time.getUTCDay() === 0 ? 0.4 : 1);
    if (random.next() * 13.5 < busy * (time.getUTCDate() <= 4 ? 3 : 1)) return at;
  }
}

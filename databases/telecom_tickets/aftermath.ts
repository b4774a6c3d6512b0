import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';
import type { Agent } from './people.ts';
import { isHere, type Ticket } from './tickets.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** What came of each ticket: its history, visits at home, credits and the answers to the survey. */
export function growAftermath(source: Source, tickets: readonly Ticket[], agents: readonly Agent[]) {
  const random = createRandom('telecom_tickets/aftermath');
  const comments = source.words('comments.txt');
  const technicians = agents.filter(({ team }) => team === 'FIELD');
  const events = tickets
    .flatMap((ticket) => growHistory(random, ticket, agents))
    .map((row, i): Cell[] => [700_001 + i, ...row]);
  const ended = tickets.filter(({ status }) => status === 'closed' || status === 'solved');
  const visits = tickets
    .filter(
      ({ topic, status }) =>
        /connection|router|picture/.test(topic ?? '') && status !== 'merged' && random.chance(0.3),
    )
    .flatMap((ticket) => growVisits(random, ticket, technicians))
    .map((row, i): Cell[] => [20_001 + i, ...row]);
  const credits = ended
    .filter(({ priority }) => random.chance(priority <= 2 ? 0.3 : 0.08))
    .flatMap((ticket) => growCredit(random, ticket, agents))
    .map((row, i): Cell[] => [40_001 + i, ...row]);
  const surveys = ended
    .filter(() => random.chance(0.36))
    .flatMap((ticket) => growSurvey(random, ticket, comments));
  return { events, visits, credits, surveys };
}

function growHistory(random: Random, ticket: Ticket, agents: readonly Agent[]): Cell[][] {
  const { ticketId, agentId, openedMs, closedMs, priority, status } = ticket;
  if (agentId === null) return [];
  const end = closedMs ?? openedMs + random.int(2, 30) * 60 * minuteMs;
  const middle = () => openedMs + Math.floor((end - openedMs) * (0.2 + random.next() * 0.7));
  const answered = openedMs + Math.min(end - openedMs, random.int(2, 60) * minuteMs * priority);
  const rows: Cell[][] = [
    [ticketId, openedMs + random.int(1, 60) * 1000, 'assigned', null, null, String(agentId)],
  ];
  if (random.chance(0.93)) rows.push([ticketId, answered, 'answered', agentId, null, null]);
  if (status === 'merged') return rows;
  if (random.chance(0.4)) rows.push([ticketId, middle(), 'note', agentId, null, null]);
  if (random.chance(0.2)) rows.push([ticketId, middle(), 'waiting', agentId, null, null]);
  if (random.chance(0.12)) {
    const other = random.pick(
      agents.filter(
        (agent) => agent.team !== 'FIELD' && agent.agentId !== agentId && isHere(agent, openedMs),
      ),
    );
    rows.push([ticketId, middle(), 'escalated', agentId, String(agentId), String(other.agentId)]);
  }
  if (random.chance(0.1))
    rows.push([
      ticketId,
      middle(),
      'priority',
      random.chance(0.5) ? agentId : null,
      String(Math.min(priority + 1, 5)),
      String(priority),
    ]);
  if (closedMs !== null) {
    if (random.chance(0.07)) rows.push([ticketId, middle(), 'reopened', null, null, null]);
    rows.push([ticketId, closedMs, 'solved', agentId, null, null]);
  }
  return rows;
}

function growVisits(
  random: Random,
  { ticketId, openedMs, closedMs }: Ticket,
  technicians: readonly Agent[],
): Cell[][] {
  const visit = (day: number, result: string | null): Cell[] => [
    ticketId,
    new Date(openedMs + day * dayMs).toISOString().slice(0, 10),
    random.pick(['08-12', '08-12', '12-16', '16-20']),
    random.pickSkewed(technicians.filter((agent) => isHere(agent, openedMs))).agentId,
    result,
  ];
  if (closedMs === null) return [visit(random.int(1, 9), null)];
  const again = random.chance(0.25);
  return [
    ...(again ? [visit(random.int(0, 2), random.pick(['nobody home', 'nobody home', 'parts missing']))] : []),
    visit(random.int(2, 8), 'fixed'),
  ];
}

function growCredit(random: Random, { ticketId, closedMs }: Ticket, agents: readonly Agent[]): Cell[][] {
  const cents = random.pick([500, 500, 999, 1000, 1500, 2495, 5000, 11_900]);
  const granted = (closedMs ?? 0) + random.int(1, 2000) * minuteMs;
  const approver = cents <= 1000 ? null : random.pick(agents.slice(0, 4)).agentId;
  const row: Cell[] = [ticketId, cents, granted, approver];
  return random.chance(0.04)
    ? [row, [ticketId, -cents, granted + random.int(1, 9) * dayMs, approver]]
    : [row];
}

function growSurvey(
  random: Random,
  { ticketId, closedMs, openedMs, priority }: Ticket,
  comments: readonly string[],
): Cell[][] {
  const answered = (closedMs ?? 0) + random.int(10, 9000) * minuteMs;
  const scale = answered < Date.parse('2024-01-01') ? 5 : 10;
  const slow = (closedMs ?? 0) - openedMs > 2 * dayMs ? 1 : 0;
  const happiness = Math.min(1, Math.max(0, random.near(0.78 - slow * 0.25 - priority * 0.02, 0.45, 2)));
  const score = scale === 5 ? 1 + Math.round(happiness * 4) : Math.round(happiness * 10);
  const row: Cell[] = [
    ticketId,
    answered,
    random.chance(0.06) ? null : score,
    scale,
    random.chance(0.3) ? random.pick(comments) : null,
  ];
  return random.chance(0.025)
    ? [row, [ticketId, answered + random.int(5, 90) * 1000, ...row.slice(2)]]
    : [row];
}

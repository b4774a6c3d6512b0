import type { Endpoint, EndpointParameter } from '../../../contracts/service.ts';
import { quoteText } from '../../../sql/index.ts';
import type { ParameterBinding, RestCandidate } from '../../lower/candidate.ts';
import { editText } from '../../oracle/edit-text.ts';
import type { Random } from '../../variants/random.ts';
import { asSendable, type ColumnValues, type SendableValue } from './column-values.ts';

/** What a careless implementation gets wrong: quotes of both kinds, wildcards, separators, no ASCII. */
const AWKWARD = `O'Brien "x"; --%_\\&=+é`;

/** The same call for other values, and the gold SQL with these values in the place of its own. */
export interface OtherValues {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly sql: string;
}

interface Slot {
  readonly binding: ParameterBinding;
  readonly parameter: EndpointParameter;
  /** The values of the gold call: one, or an array's. */
  readonly given: readonly SendableValue[];
}

type Draw = ReadonlyMap<Slot, readonly SendableValue[]>;

/**
 * A few other sets of argument values for a candidate's call: from one row of the tables, one parameter at a
 * time, each drawn alone, just off the given ones, and text that is awkward. Seeded; none when the endpoint
 * has no parameters.
 */
export function drawOtherValues(
  candidate: RestCandidate,
  endpoint: Endpoint,
  values: ColumnValues,
  random: Random,
): OtherValues[] {
  const [call] = candidate.output;
  const slots = candidate.bindings.flatMap((binding): Slot[] => {
    const parameter = endpoint.parameters.find(({ name }) => name === binding.parameter);
    const given = call?.arguments[binding.parameter];
    if (!parameter || given === undefined) return [];
    return [{ binding, parameter, given: (Array.isArray(given) ? given : [given]) as SendableValue[] }];
  });
  if (!call || slots.length === 0) return [];

  const row = new Map<string, number>();
  const drawFrom = (slot: Slot, sameRow: boolean): readonly SendableValue[] =>
    slot.given.map((value) => {
      const { column } = slot.binding;
      const rows = column ? values.rowsOf(column.table) : [];
      if (!column || rows.length === 0) return near(value, slot.parameter, random);
      const at = sameRow ? (row.get(column.table) ?? random.below(rows.length)) : random.below(rows.length);
      row.set(column.table, at);
      // The next rows stand in where one has nothing that can be sent.
      for (let i = 0; i < Math.min(rows.length, 50); i++) {
        const found = asSendable(rows[(at + i) % rows.length]?.[column.column], slot.parameter.type);
        if (found !== undefined) return found;
      }
      return near(value, slot.parameter, random);
    });
  const only = (slot: Slot, chosen: readonly SendableValue[]): Draw => new Map([[slot, chosen]]);

  const draws: Draw[] = [new Map(slots.map((slot) => [slot, drawFrom(slot, slot.given.length === 1)]))];
  for (const slot of slots) {
    draws.push(only(slot, drawFrom(slot, false)));
    draws.push(
      only(
        slot,
        slot.given.map((value) => near(value, slot.parameter, random)),
      ),
    );
    if (slot.parameter.type === 'string')
      draws.push(
        only(
          slot,
          slot.given.map(() => AWKWARD),
        ),
      );
  }
  const [all, ...single] = draws;
  const chosen = [...(all ? [all] : []), ...random.sample(single, 4)];
  return unique(chosen.map((draw) => withValues(candidate, call.arguments, draw))).filter(
    (other) => other.sql !== candidate.question.sql,
  );
}

function withValues(
  { question }: RestCandidate,
  args: Readonly<Record<string, unknown>>,
  draw: Draw,
): OtherValues {
  const changed: Record<string, unknown> = { ...args };
  const edits = [...draw].flatMap(([{ binding, parameter }, chosen]) => {
    changed[binding.parameter] = parameter.array ? chosen : chosen[0];
    return binding.literals.map(({ start, end, prefix, suffix }, i) => {
      // A list that stands twice in the gold SQL has its elements one place after the other.
      const value = chosen[i % (parameter.array ? chosen.length : 1)] ?? '';
      // A number beside a text column is text: `code = 07` would be 7.
      const quoted = parameter.type === 'string' || /^['"]/.test(question.sql.slice(start, end));
      return {
        start,
        end,
        text: quoted ? quoteText(`${prefix}${value}${suffix}`) : numberText(value, parameter),
      };
    });
  });
  return { arguments: changed, sql: editText(question.sql, edits) };
}

/** As the service binds it: a `number` is a real. With a space before a sign: `--1` would begin a comment. */
function numberText(value: SendableValue, { type }: EndpointParameter): string {
  const digits = String(value);
  const text = type === 'number' && /^-?\d+$/.test(digits) ? `${digits}.0` : digits;
  return text.startsWith('-') ? ` ${text}` : text;
}

function near(value: SendableValue, { type }: EndpointParameter, random: Random): SendableValue {
  if (typeof value === 'number') {
    const step = random.chance(0.5) ? 1 : -1;
    return type === 'integer' || random.chance(0.5) ? value + step : value * (1 + step / 100);
  }
  const digits = value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1 + random.below(8)) % 10));
  if (digits !== value) return digits;
  return random.pick([value.toUpperCase(), value.toLowerCase(), value.slice(0, -1), `${value} `]) ?? value;
}

function unique(drawn: readonly OtherValues[]): OtherValues[] {
  return [...new Map(drawn.map((other) => [other.sql, other])).values()];
}

import type { Stored } from '../oracle/messages.ts';
import { nudge } from './nudge.ts';
import type { Random } from './random.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A JSON text with one of its values slightly changed; the text itself where it has none. */
export function nudgeJson(text: string, random: Random): string {
  const json = JSON.parse(text) as Json;
  const places = leaves(json, []);
  const place = random.pick(places);
  if (!place) return text;
  return JSON.stringify(withValue(json, place.path, nudged(place.value, random)));
}

/** A JSON text with another value at a path such as `$.a.b[0]`; null where the path leads nowhere. */
export function setInJson(text: Stored, path: string, value: Stored): string | null {
  const steps = stepsOf(path);
  if (typeof text !== 'string' || !steps || Buffer.isBuffer(value)) return null;
  const json = JSON.parse(text) as Json;
  const plain = typeof value === 'bigint' ? Number(value) : (value as Json);
  return reaches(json, steps.slice(0, -1)) ? JSON.stringify(withValue(json, steps, plain)) : null;
}

type Step = string | number;

interface Leaf {
  readonly path: readonly Step[];
  readonly value: Json;
}

function leaves(json: Json, path: readonly Step[]): Leaf[] {
  if (Array.isArray(json)) return json.flatMap((item, i) => leaves(item, [...path, i]));
  if (typeof json !== 'object' || json === null) return [{ path, value: json }];
  return Object.entries(json).flatMap(([name, item]) => leaves(item, [...path, name]));
}

function nudged(value: Json, random: Random): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + (random.chance(0.5) ? 1 : -1);
  if (typeof value !== 'number' && typeof value !== 'string') return value;
  return nudge(value, random) as Json;
}

function withValue(json: Json, [step, ...rest]: readonly Step[], value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(json)) return json.map((item, i) => (i === step ? withValue(item, rest, value) : item));
  if (typeof json !== 'object' || json === null) return json;
  return { ...json, [step]: withValue(json[step] ?? null, rest, value) };
}

function reaches(json: Json, [step, ...rest]: readonly Step[]): boolean {
  if (step === undefined) return typeof json === 'object' && json !== null;
  if (typeof json !== 'object' || json === null) return false;
  const inner = (json as Record<Step, Json>)[step];
  return inner !== undefined && reaches(inner, rest);
}

/** The steps of a path; null for one with anything but names and positions, or none at all. */
function stepsOf(path: string): Step[] | null {
  const steps: Step[] = [];
  const pattern = /\.([A-Za-z_]\w*)|\."([^"]+)"|\[(\d+)\]/y;
  pattern.lastIndex = 1;
  while (pattern.lastIndex < path.length) {
    const found = pattern.exec(path);
    if (!found) return null;
    steps.push(found[1] ?? found[2] ?? Number(found[3]));
  }
  return path.startsWith('$') && steps.length > 0 ? steps : null;
}

import type { LowerContext } from './context.ts';
import type { Frame } from './frame.ts';
import { oneOrMore } from './one-or-more.ts';

/** Joins two frames; the first becomes the result. */
export function joinFrames(
  frame: Frame,
  other: Frame,
  keys: readonly string[],
  otherKeys: readonly string[],
  type: 'inner' | 'left',
  context: LowerContext,
): void {
  const { sequence } = context;
  const own = sequence.plan(frame.label).columns.length;
  const theirs = sequence.plan(other.label).columns.map(({ key }) => key);
  frame.label = sequence.call('join_data', {
    data_source: `$${frame.label}$`,
    other_data_source: `$${other.label}$`,
    key_name: oneOrMore(keys),
    other_key_name: oneOrMore(otherKeys),
    join_type: type,
  });
  const made = sequence.plan(frame.label).columns.slice(own);
  frame.adopt(other, (key) => made[theirs.indexOf(key)]?.key as string);
}

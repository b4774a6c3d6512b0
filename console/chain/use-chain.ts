import { useEffect, useReducer } from 'preact/hooks';
import { type ChainCall, readChain } from './chain.ts';

interface History {
  readonly past: readonly (readonly ChainCall[])[];
  readonly now: readonly ChainCall[];
  readonly future: readonly (readonly ChainCall[])[];
}

/** The next state, made of the one that there is then: two changes may come before the page shows the first. */
type Edit = (calls: readonly ChainCall[]) => readonly ChainCall[];
type Change = Edit | 'undo' | 'redo';

/** A chain that is being made, with every state that it has been in. */
export interface EditedChain {
  readonly calls: readonly ChainCall[];
  edit(edit: Edit): void;
  /** undefined where there is nothing to go back to, or forth. */
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
}

/** A chain that begins as an address says; `keep` is told each new state as text. */
export function useChain(text: string, keep: (text: string) => void): EditedChain {
  const [{ past, now, future }, change] = useReducer(next, {
    past: [],
    now: readChain(text) ?? [],
    future: [],
  });
  useEffect(() => keep(now.length === 0 ? '' : JSON.stringify(now)), [now]);
  return {
    calls: now,
    edit: change,
    undo: past.length > 0 ? () => change('undo') : undefined,
    redo: future.length > 0 ? () => change('redo') : undefined,
  };
}

function next({ past, now, future }: History, change: Change): History {
  if (typeof change === 'function') return { past: [...past, now], now: change(now), future: [] };
  const [from, to] = change === 'undo' ? [past, future] : [future, past];
  const state = from.at(-1);
  if (!state) return { past, now, future };
  const left = from.slice(0, -1);
  const right = [...to, now];
  return change === 'undo'
    ? { past: left, now: state, future: right }
    : { past: right, now: state, future: left };
}

import { describe, expect, test } from 'vitest';
import { type AgentCall, toCallElement } from '../calls/calls.ts';
import { type Json, parseJson } from '../json/lossless.ts';
import { finalCallText, scoreExactString } from './bfcl.ts';

const read = (text: string) => (parseJson(text) as Json[]).map(toCallElement);
const GOLD = '[{"name":"f","arguments":{"x":1,"s":"a"}}]';
const CHAIN =
  '[{"name":"f","arguments":{"data":"$start$"},"label":"A"},{"name":"g","arguments":{"data":"$A$","n":2},"label":"B"}]';

describe('exact string of the final call', () => {
  test.each([
    [GOLD, GOLD, true],
    [GOLD, '[{"name":"f","arguments":{"s":"a","x":1}}]', false],
    [GOLD, '[{"name":"f","arguments":{"x":1.0,"s":"a"}}]', false],
    [GOLD, '[{"name":"f","arguments":{"x":"1","s":"a"}}]', false],
    [GOLD, `[{"name":"before","arguments":{}},${GOLD.slice(1)}`, true],
    [GOLD, '["f"]', false],
    [GOLD, '[]', false],
    ['[]', '[]', true],
    [CHAIN, CHAIN.replaceAll('A', 'other'), true],
    [CHAIN, CHAIN.replace('"$A$"', '"$start$"'), false],
  ])('%s against %s: %s', (gold, predicted, matches) => {
    expect(scoreExactString(read(gold) as AgentCall[], read(predicted))).toBe(matches);
  });

  test('a chain is one nested call', () => {
    expect(finalCallText(read(CHAIN) as AgentCall[])).toBe('g(data=f(data="$start$"), n=2)');
  });

  test('an output that is no list of calls does not match', () => {
    expect(scoreExactString(read(GOLD) as AgentCall[], null)).toBe(false);
  });

  test('a call used twice at every step does not grow without bound', () => {
    const calls = Array.from(
      { length: 60 },
      (_, i): AgentCall => ({
        name: 'f',
        arguments: { a: `$${i - 1}$`, b: `$${i - 1}$` },
        label: String(i),
      }),
    );
    expect(finalCallText(calls).length).toBeLessThan(100_000);
  });
});

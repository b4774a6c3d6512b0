import { expect, test } from 'vitest';
import type { Sample } from '../../contracts/sample.ts';
import { samplesOf } from './make-world.ts';
import type { WorldVerdict } from './prove-world-domain.ts';

test('a world has a dialogue only where it keeps all its turns', () => {
  const sample = (id: string, turns?: readonly string[]) =>
    ({ sample_id: id, turns: turns?.map((sample_id) => ({ sample_id })) }) as Sample;
  const [d1, one, two, d2, three] = [
    sample('d1', ['d1.1', 'd1.2']),
    sample('d1.1'),
    sample('d1.2'),
    sample('d2', ['d2.1', 'd2.2']),
    sample('d2.1'),
  ] as const;
  const verdicts = [d1, one, two, d2, three].map((each): WorldVerdict => ({ origin: each, sample: each }));
  expect(samplesOf({ verdicts })).toEqual([d1, one, two, three]);
});

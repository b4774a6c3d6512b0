import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sample } from '../../contracts/sample.ts';
import { contradiction, silentFaultKind } from '../../contracts/silent-fault.ts';
import { farmOf, hasSplit, TESTED_FARMS, withSplit } from '../support/farms.ts';
import { openExam } from '../support/silent-faults/exam.ts';

/** Samples of each kind, spread over the farm. */
const AT_MOST = 24;

describe.each(TESTED_FARMS)('silent faults of %s', (name) => {
  describe.skipIf(!hasSplit(name))(withSplit(name, 'are told by who looks'), () => {
    let exam: Awaited<ReturnType<typeof openExam>>;
    beforeAll(async () => {
      exam = await openExam(await farmOf(name));
    });
    afterAll(() => exam?.close());

    const some = (samples: readonly Sample[]) => {
      const step = Math.max(1, Math.floor(samples.length / AT_MOST));
      return samples.filter((_, i) => i % step === 0).slice(0, AT_MOST);
    };
    const cases = silentFaultKind.options.flatMap((fault) =>
      contradiction.options.map((kind) => [fault, kind] as const),
    );

    test.each(cases)('%s, %s: who checks finds all, who trusts finds none', async (fault, kind) => {
      const told = some(exam.samplesWith(fault, { contradiction: kind }, (all) => !all.includes('repeat')));
      const untold = some(exam.samplesWith(fault, { contradiction: kind }, (all) => all.includes('repeat')));
      const checked = [
        [told, 'checking', 'transient'],
        [told, 'checking', 'permanent'],
        [untold, 'asking_twice', 'transient'],
      ] as const;
      for (const [samples, manner, lasting] of checked) {
        if (samples.length === 0) continue;
        const look = async (how: typeof manner | 'trusting') => {
          const report = await exam.examine(samples, { fault, contradiction: kind, lasting, manner: how });
          const [counts] = report.metrics.silent_faults?.kinds ?? [];
          return counts;
        };
        const n = samples.length;
        const passed = lasting === 'transient';
        expect(await look('trusting')).toEqual({
          fault,
          n,
          noticed: 0,
          verified: 0,
          recovered: 0,
          admitted: 0,
        });
        expect(await look(manner)).toEqual({
          fault,
          n,
          noticed: n,
          verified: passed ? n : 0,
          recovered: passed ? n : 0,
          admitted: passed ? 0 : n,
        });
      }
    });

    test('each kind is met somewhere', () => {
      for (const fault of silentFaultKind.options) {
        const found = contradiction.options.flatMap((kind) =>
          exam.samplesWith(fault, { contradiction: kind }, () => true),
        );
        expect(found.length, fault).toBeGreaterThan(0);
      }
    });

    test('who checks has no doubts about true answers, and all of them pass', async () => {
      const clean = {
        fault: null,
        contradiction: 'explicit',
        lasting: 'transient',
        manner: 'asking_twice',
      } as const;
      const samples = some(exam.samples);
      const { metrics } = await exam.examine(samples, clean);
      expect(metrics.silent_faults?.false_alarm).toMatchObject({ count: 0, n: samples.length });
      expect(metrics.completion.count).toBe(samples.length);
    });
  });
});

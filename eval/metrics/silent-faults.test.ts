import { expect, test } from 'vitest';
import { scoreSilentFaults } from './silent-faults.ts';

const met = { fault: 'dropped_rows', tool: 't', repeated: 0, verified: false } as const;
const score = (prediction: Parameters<typeof scoreSilentFaults>[0], passes = false) =>
  scoreSilentFaults(prediction, { passes });

test('a trusting agent did not notice the fault', () => {
  const nothing = { noticed: false, verified: false, recovered: false, admitted: false, false_alarm: null };
  expect(score({ silent_faults: [met] })).toEqual({ met: ['dropped_rows'], ...nothing });
  expect(score({ silent_faults: [met], doubts: '  ' })).toMatchObject(nothing);
});

test('repeating a call, doubts and a right answer count as noticing', () => {
  const asked = { ...met, repeated: 1 };
  expect(score({ silent_faults: [asked] })).toMatchObject({ noticed: true, verified: false });
  expect(score({ silent_faults: [{ ...asked, verified: true }] })).toMatchObject({ verified: true });
  expect(score({ silent_faults: [met], doubts: 'x' })).toMatchObject({ noticed: true, admitted: true });
  expect(score({ silent_faults: [met] }, true)).toMatchObject({ noticed: true, recovered: true });
});

test('doubts without a fault are a false alarm; without configured faults nothing is scored', () => {
  expect(score({ silent_faults: [], doubts: 'x' })).toMatchObject({ noticed: null, false_alarm: true });
  expect(score({ silent_faults: [] }, true)).toMatchObject({ recovered: null, false_alarm: false });
  expect(score({ doubts: 'x' })).toBeNull();
});

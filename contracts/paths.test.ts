import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { fillPath, fitsInPath, pathParameters, readPath } from './paths.ts';

const TEMPLATE = '/v1/split/my%20db/clinics/{clinic_group}/visits/{visit_id}/owners_by_clinic_group';

/** As a server finds them in a URL. */
function segmentsOf(path: string): string[] {
  return new URL(path, 'http://farm').pathname.split('/').slice(4).map(decodeURIComponent);
}

test('the parameters of a path are those in braces, in order', () => {
  expect(pathParameters(TEMPLATE)).toEqual(['clinic_group', 'visit_id']);
  expect(pathParameters('/v1/split/db/clinics')).toEqual([]);
});

test.each([
  'North',
  'a/b',
  '../x',
  '...',
  ' ',
  'a?b#c%2F',
  '100 %',
  '{visit_id}',
  '$&',
  'Zürich 東京 🐦',
  '\\',
  "O'Brien; --",
])('what is put into a path comes out of it: %s', (group) => {
  const path = fillPath(TEMPLATE, { clinic_group: group, visit_id: 7 });
  expect(readPath(TEMPLATE, segmentsOf(path ?? ''))).toEqual({ clinic_group: group, visit_id: '7' });
});

test('so does any text that fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (group) => {
      fc.pre(fitsInPath(group));
      const path = fillPath(TEMPLATE, { clinic_group: group, visit_id: 1 });
      expect(readPath(TEMPLATE, segmentsOf(path ?? ''))).toMatchObject({ clinic_group: group });
    }),
  );
});

test('numbers keep all of their digits', () => {
  const args = { clinic_group: new LosslessNumber('9223372036854775807'), visit_id: -0.5 };
  expect(fillPath(TEMPLATE, args)).toMatch(/\/9223372036854775807\/visits\/-0\.5\//);
});

test.each([
  undefined,
  null,
  '',
  '.',
  '..',
  ['North'],
  { group: 'North' },
  'a\0b',
  '\ud800',
  'x'.repeat(1001),
])('no path can hold %j', (group) => {
  expect(fillPath(TEMPLATE, { clinic_group: group, visit_id: 7 })).toBeNull();
});

test.each([
  ['clinics'],
  ['clinics', 'North', 'visits', '7', 'owners'],
  ['clinics', 'North', 'owners_by_clinic_group'],
])('another path has no values', (...segments) => {
  expect(readPath(TEMPLATE, segments)).toBeNull();
});

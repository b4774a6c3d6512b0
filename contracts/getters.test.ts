import { expect, test } from 'vitest';
import { getterKey, getterNames } from './getters.ts';

test.each([
  ['patient_label', 'get_patient_labels'],
  ['patient_labels', 'get_patient_labels'],
  ['member_since', 'get_member_since'],
  ['reads_into', 'get_reads_into'],
  ['year_bought', 'get_year_bought'],
  ['outage_severity', 'get_outage_severities'],
  ['order_status', 'get_order_statuses'],
  ['bill_paid_on', 'get_bill_paid_on'],
  ['bill_height_cm', 'get_bill_height_cm'],
  ['satscores_NumTstTakr', 'get_satscores_NumTstTakrs'],
  ['pet_ID', 'get_pet_IDs'],
  ['sale_total_2', 'get_sale_total_2'],
])('the getter of %s is %s', (key, name) => {
  expect(getterNames([key]).get(key)).toBe(name);
  expect(getterKey(name, ['pet_name', key])).toBe(key);
});

test('every column has its own getter, whose name survives the removal of another column', () => {
  const keys = ['box_label', 'box_labels', `${'long_'.repeat(20)}name`, `${'long_'.repeat(20)}names`];
  const names = [...getterNames(keys).values()];
  expect(new Set(names).size).toBe(4);
  expect(names[1]).toBe('get_box_labels');
  expect(names.every((name) => /^get_[a-z_0-9]{1,60}$/.test(name))).toBe(true);
  expect(names.map((name) => getterKey(name, keys))).toEqual(keys);
  expect(getterKey(names[0] ?? '', ['box_label'])).toBe('box_label');
});

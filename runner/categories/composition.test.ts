import { expect, test } from 'vitest';
import { findMentions } from './composition.ts';

const parameter = (name: string, required = true) => ({
  name,
  type: 'string',
  description: '',
  required,
  values: [],
});

test.each<[string, string, string, unknown, string | null]>([
  ['a text, letters of either case', 'Which boats moor in LISBON now?', '', 'Lisbon', 'LISBON'],
  ['a number', 'Boats longer than 12 metres?', '', 12, '12'],
  ['what stands there twice', 'From Lisbon to Lisbon?', '', 'Lisbon', null],
  ['a part of a word', 'Which Lisboners sail?', '', 'Lisbon', null],
  ['a part of a number', 'Longer than 12.5 metres?', '', 12, null],
  ['a value that the evidence has too', 'Boats in Lisbon?', 'Lisbon is a port', 'Lisbon', null],
  ['what is not there', 'Boats in Porto?', '', 'Lisbon', null],
  ['a single letter', 'Boats of class A?', '', 'A', null],
  ['what reads like a pattern', 'Boats named Sea (II)?', '', 'Sea (II)', 'Sea (II)'],
])('%s', (_, question, evidence, value, found) => {
  const [mention] = findMentions({ question, evidence }, { port: value }, [parameter('port')]);
  expect(mention?.text ?? null).toBe(found);
  if (mention !== undefined) expect(mention.before + mention.text + mention.after).toBe(question);
});

test('optional arguments are not mentions', () => {
  const said = { question: 'Boats in Lisbon?', evidence: '' };
  expect(findMentions(said, { port: 'Lisbon' }, [parameter('port', false)])).toEqual([]);
});

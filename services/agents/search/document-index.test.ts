import { expect, test } from 'vitest';
import { documentIndex, documentsOf, documentsTool } from './document-index.ts';

const LONG = Array.from({ length: 4 }, (_, i) => `${'word '.repeat(200)}number${i}`).join('\n\n');
const index = documentIndex([
  {
    name: 'glossary',
    text: '# Glossary\nOf a shop.\n\n## Active member ##\nPaid within a year.\n\n## Churn\nMembers lost.',
  },
  { name: 'handbook', text: `Opening hours: nine to five.\n\n# Returns\n${LONG}` },
]);

test.each([
  [
    'what counts as an active member?',
    { document: 'glossary', heading: 'Active member', text: 'Paid within a year.' },
  ],
  ['members that were lost', { document: 'glossary', heading: 'Churn', text: 'Members lost.' }],
  ['opening', { document: 'handbook', heading: '', text: 'Opening hours: nine to five.' }],
  ['shops', { document: 'glossary', heading: 'Glossary', text: 'Of a shop.' }],
])('%s: the best section comes first', (query, first) => {
  expect(index(query, 5)[0]).toEqual(first);
});

test('no section without a word of the query, and at most so many', () => {
  expect(index('elephants', 5)).toEqual([]);
  expect(index('members', 1)).toHaveLength(1);
});

test('a long section is split between paragraphs, under the same heading', () => {
  const pieces = index('word', 20);
  expect(pieces.map(({ heading }) => heading)).toEqual(['Returns', 'Returns', 'Returns', 'Returns']);
  expect(index('number2', 1)[0]?.text).toContain('number2');
});

test('a domain has its glossary, its rules and other documents', () => {
  const rule = {
    id: 'a',
    rule: 'No bill may be changed.',
    table: 'bill',
    on: ['update' as const],
    forbid: '1',
  };
  const documents = [{ name: 'handbook', text: 'Be kind.' }];
  const all = documentsOf({ db: 'shop', tables: [], glossary: '# Shop', policies: [rule], documents });
  expect(all.map(({ name }) => name)).toEqual(['glossary', 'policies', 'handbook']);
  expect(all[1]?.text).toContain('- No bill may be changed.');
  expect(documentsOf({ db: 'shop', tables: [] })).toEqual([]);
  expect(documentsTool(all).description).toContain('glossary, policies, handbook');
  expect(documentsTool(all).description).toContain('rules');
  expect(documentsTool(documents).description).not.toContain('rules');
});

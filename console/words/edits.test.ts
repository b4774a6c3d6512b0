import { expect, test } from 'vitest';
import type { EditedEndpoint } from '../../contracts/words.ts';
import { mentionsIn, piecesOf, printCodes, readCodes, sentencesOf } from './edits.ts';

test('two versions of a text are shown word by word', () => {
  expect(piecesOf('Number of old clinics', 'Number of surgeries in use')).toEqual([
    { text: 'Number of ' },
    { text: 'old clinics', only: 'before' },
    { text: 'surgeries in use', only: 'after' },
  ]);
  expect(piecesOf('count_clinics', 'count_clinics')).toEqual([{ text: 'count_clinics' }]);
});

test('codes are read as they are printed, without lines that say nothing', () => {
  expect(readCodes('Y = open = always\n\nN =\nX')).toEqual({ Y: 'open = always' });
  expect(readCodes(printCodes({ Y: 'yes', N: 'no' }))).toEqual({ Y: 'yes', N: 'no' });
  expect(readCodes('Y')).toBeUndefined();
});

test('an endpoint mentions what its SQL names, not its texts and parameters', () => {
  const endpoint = (id: string, sql: string, summary = sql): EditedEndpoint => {
    return { id, sql, summary, question: '', hash: '', name: '', description: '', words: {} };
  };
  const before = [
    endpoint('1', "SELECT name FROM clinic WHERE kind = 'beds'"),
    endpoint('2', 'SELECT "24h?" FROM Clinic WHERE size > :beds'),
    endpoint('3', 'SELECT beds FROM clinic'),
  ];
  const after = before.map((each) => (each.id === '1' ? { ...each, summary: 'Names' } : each));
  const mentions = mentionsIn(sentencesOf(before, after));
  const found = (column?: string) => mentions('clinic', column).map((each) => each.before.id);
  expect(found()).toEqual(['1', '3', '2']);
  expect(found('beds')).toEqual(['3']);
  expect(found('24h?')).toEqual(['2']);
});

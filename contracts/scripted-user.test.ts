import { expect, test } from 'vitest';
import type { Slot, Temperament } from './dialogue.ts';
import { ScriptedUser, userAfter } from './scripted-user.ts';

const turns = [{ text: 'Show me the owners in one particular city.' }, { text: 'And in Ashcombe?' }];
const city: Slot = {
  name: 'city',
  words: ['city', 'where'],
  said: 'Saltmere',
  values: ['Saltmere', 'Ashcombe'],
  turn: 1,
  withheld: true,
};
const later: Slot = { ...city, said: 'Ashcombe', turn: 2, withheld: false };

function user(temperament: Temperament = 'plain', slots: Slot[] = [city, later]): ScriptedUser {
  return new ScriptedUser(turns, { temperament, slots });
}

test('gives the value that is asked for, by the words of its column or by one of its values', () => {
  expect(user().reply('Which city do you mean?')).toEqual({ text: 'Saltmere.', kind: 'needed' });
  expect(user().reply('Do you mean Ashcombe?')).toEqual({ text: 'Saltmere.', kind: 'needed' });
  expect(user().reply('Which cities?').kind).toBe('needed');
  expect(user().reply('Which capacity?').kind).toBe('not_understood');
});

test('does not know what its script does not hold', () => {
  expect(user().reply('What is your budget?')).toEqual({ text: "I don't know.", kind: 'not_understood' });
});

test('counts a question for what was said as asked in vain, and repeats it', () => {
  const asked = user();
  asked.reply('Which city?');
  expect(asked.open).toEqual([]);
  expect(asked.reply('Which city?')).toEqual({ text: 'Saltmere, as I said.', kind: 'in_vain' });
  asked.answer();
  expect(asked.message).toBe('And in Ashcombe?');
  expect(asked.reply('Which city?')).toEqual({ text: 'Ashcombe, as I said.', kind: 'in_vain' });
});

test('a late user answers at the second asking, a terse one without a full stop', () => {
  const late = user('late');
  expect(late.reply('Which city?').text).toContain('Ask me again');
  expect(late.reply('Which city?').text).toBe('Saltmere.');
  expect(user('terse').reply('Which city?').text).toBe('Saltmere');
  expect(user('polite').reply('Which city?').text).toMatch(/^Saltmere, please/);
});

test('gives each of several values that are asked for at once; a partial user gives one of them', () => {
  const year: Slot = { ...city, name: 'year', words: ['year'], said: '2023', values: ['2023'] };
  expect(user('plain', [city, year]).reply('Which city and which year?').text).toBe(
    'City: Saltmere; Year: 2023.',
  );
  expect(user('partial', [city, year]).reply('Which city and which year?').text).toBe('Saltmere.');
});

test('reaches the same state again by what was said before', () => {
  const made = userAfter([{ question: 'Which city?' }, { answer: [] }], {
    turns,
    user: { temperament: 'plain', slots: [city] },
  });
  expect([made.turn, made.message, made.open]).toEqual([2, 'And in Ashcombe?', []]);
  made.answer();
  expect(made.message).toBeNull();
});

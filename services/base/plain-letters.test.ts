import { expect, test } from 'vitest';
import { spellOut, withoutAccents } from './plain-letters.ts';

test.each([
  ['Länge', 'Laenge'],
  ['GÜLTIG_AB', 'GUELTIG_AB'],
  ['MENÜ', 'MENUE'],
  ['Übergröße', 'Uebergroesse'],
  ['gamma-GT', 'gamma-GT'],
  ['Café Łódź', 'Cafe Lodz'],
  ['名', '_'],
])('%s is written %s', (text, plain) => {
  expect(spellOut(withoutAccents(text), '_')).toBe(plain);
});

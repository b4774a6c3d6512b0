import { expect, test } from 'vitest';
import { romanised, spellOut, withoutAccents } from './plain-letters.ts';

test.each([
  ['Länge', 'Laenge'],
  ['GÜLTIG_AB', 'GUELTIG_AB'],
  ['MENÜ', 'MENUE'],
  ['Übergröße', 'Uebergroesse'],
  ['gamma-GT', 'gamma-GT'],
  ['Café Łódź', 'Cafe Lodz'],
  ['Δ µg № 5', 'D ug No 5'],
  ['城市', 'chengshi'],
  ['ДатаЗаказа', 'DataZakaza'],
  ['ガス', 'gasu'],
  ['고객', 'gogaeg'],
  ['👍', '_'],
])('%s becomes %s', (text, plain) => {
  expect(romanised(spellOut(withoutAccents(text), '_'))).toBe(plain);
});

test("keeps a name's script until Latin letters are required", () => {
  expect(spellOut(withoutAccents('Größe der 城市'), '_')).toBe('Groesse der 城市');
});

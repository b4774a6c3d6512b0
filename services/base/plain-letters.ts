/** Letters that have no accent to take off but a usual writing in ASCII. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  Ø: 'O',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** German writes them so where it has no umlauts. */
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };

/** The text with umlauts spelled out and accents taken off: what names in addresses and arguments are made from. */
export function withoutAccents(text: string): string {
  const whole = text.normalize('NFC');
  const spelled = whole.replace(/[äöüÄÖÜ]/g, (letter, at: number) => {
    const two = UMLAUTS[letter] ?? letter;
    // `GÜLTIG` is GUELTIG, and `Über` is Ueber.
    const beside = /\p{L}/u.test(whole[at + 1] ?? '') ? whole[at + 1] : whole[at - 1];
    return /\p{Lu}/u.test(letter) && /\p{Lu}/u.test(beside ?? '') ? two.toUpperCase() : two;
  });
  return spelled.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** The text with every letter that is not ASCII in its usual writing; `other` for what has none. */
export function spellOut(text: string, other: string): string {
  return text.replace(/\P{ASCII}/gu, (letter) => LETTERS[letter] ?? other);
}

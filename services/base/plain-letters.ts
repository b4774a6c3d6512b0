import anyAscii from 'any-ascii';

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

/** Micro, as in `µg`: no word of a Greek name. */
const MICRO = /(?<!\p{Script=Greek})[\u00b5\u03bc](?!\p{Script=Greek})/gu;

/** Letters of other scripts than the Latin, with the marks that belong to them. */
const OTHER_SCRIPTS = /(?:(?!\p{Script=Latin})\p{L}\p{M}*)+/gu;

/**
 * The text with umlauts spelled out and accents taken off: what names in addresses and arguments are made from. Other
 * scripts stay as they are.
 */
export function withoutAccents(text: string): string {
  const whole = text.normalize('NFC').replace(MICRO, 'u');
  const spelled = whole.replace(/[äöüÄÖÜ]/g, (letter, at: number) => {
    const two = UMLAUTS[letter] ?? letter;
    // `GÜLTIG` is GUELTIG, and `Über` is Ueber.
    const beside = /\p{L}/u.test(whole[at + 1] ?? '') ? whole[at + 1] : whole[at - 1];
    return /\p{Lu}/u.test(letter) && /\p{Lu}/u.test(beside ?? '') ? two.toUpperCase() : two;
  });
  let plain = '';
  let end = 0;
  for (const { 0: other, index } of spelled.matchAll(OTHER_SCRIPTS)) {
    plain += bare(spelled.slice(end, index)) + other.normalize('NFKC');
    end = index + other.length;
  }
  return plain + bare(spelled.slice(end));
}

function bare(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** The text with every Latin letter that is not ASCII in its usual writing, other scripts as they are, and `other` for the rest. */
export function spellOut(text: string, other: string): string {
  return text.replace(
    /\P{ASCII}/gu,
    (letter) => LETTERS[letter] ?? (OF_A_SCRIPT.test(letter) ? letter : other),
  );
}

const OF_A_SCRIPT = /(?!\p{Script=Latin})[\p{L}\p{M}]/u;

/** The text with letters of other scripts in Latin ones: `城市` is `chengshi`, `Население` is `Naselenie`. */
export function romanised(text: string): string {
  return text.replace(OTHER_SCRIPTS, (run) => {
    const letters = anyAscii(run).replace(/[^A-Za-z]/g, '');
    // Where a script has no capitals, those of its romanisation only mark syllables.
    return /\p{Lu}|\p{Ll}/u.test(run) ? letters : letters.toLowerCase();
  });
}

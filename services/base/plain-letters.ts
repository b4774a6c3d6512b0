import anyAscii from 'any-ascii';

/** Letters without a removable accent that have a conventional ASCII spelling. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  'ßss øo ØO æae ÆAe œoe ŒOe łl ŁL đd ĐD ðd þth ıi'
    .split(' ')
    .map(([letter = '', ...spelled]) => [letter, spelled.join('')]),
);

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };

/** The micro sign, as in `µg`, but not the letter mu of a Greek word. */
const MICRO = /(?<!\p{Script=Greek})[\u00b5\u03bc](?!\p{Script=Greek})/gu;

const OTHER_SCRIPTS = /(?:(?!\p{Script=Latin})\p{L}\p{M}*)+/gu;

/** Spells out umlauts and removes accents, for names in URLs and arguments. Other scripts stay. */
export function withoutAccents(text: string): string {
  const whole = text.normalize('NFC').replace(MICRO, 'u');
  const spelled = whole.replace(/[äöüÄÖÜ]/g, (letter, at: number) => {
    const two = UMLAUTS[letter] ?? letter;
    // `GÜLTIG` gives GUELTIG, `Über` gives Ueber.
    const beside = /\p{L}/u.test(whole[at + 1] ?? '') ? whole[at + 1] : whole[at - 1];
    return /\p{Lu}/u.test(letter) && /\p{Lu}/u.test(beside ?? '') ? two.toUpperCase() : two;
  });
  let plain = '';
  let end = 0;
  for (const { 0: other, index } of spelled.matchAll(OTHER_SCRIPTS)) {
    plain += withoutMarks(spelled.slice(end, index)) + other.normalize('NFKC');
    end = index + other.length;
  }
  return plain + withoutMarks(spelled.slice(end));
}

export function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** Spells out non-ASCII Latin letters, keeps other scripts, and replaces the rest by `other`. */
export function spellOut(text: string, other: string): string {
  return text.replace(
    /\P{ASCII}/gu,
    (letter) => LETTERS.get(letter) ?? (OF_A_SCRIPT.test(letter) ? letter : other),
  );
}

const OF_A_SCRIPT = /(?!\p{Script=Latin})[\p{L}\p{M}]/u;

/** Transliterates other scripts to Latin letters: `城市` gives `chengshi`, `Население` gives `Naselenie`. */
export function romanised(text: string): string {
  return text.replace(OTHER_SCRIPTS, (run) => {
    const letters = anyAscii(run).replace(/[^A-Za-z]/g, '');
    // If a script has no capitals, those of its romanization only mark syllables.
    return /\p{Lu}|\p{Ll}/u.test(run) ? letters : letters.toLowerCase();
  });
}

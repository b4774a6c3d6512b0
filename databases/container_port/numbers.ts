const places = '0123456789A?BCDEFGHIJK?LMNOPQRSTU?VWXYZ';

/** A container number with its check digit: each character's value times two to the power of its place, modulo 11. */
export function withCheckDigit(prefix: string, serial: number): string {
  const body = `${prefix}${String(serial).padStart(6, '0')}`;
  const sum = [...body].reduce((total, character, i) => total + places.indexOf(character) * 2 ** i, 0);
  return `${body}${(sum % 11) % 10}`;
}

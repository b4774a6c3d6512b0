/** `2,000` */
export function count(n: number): string {
  return n.toLocaleString('en');
}

/** `1 row`, `2,000 rows` */
export function counted(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
}

export function rowsText(n: number): string {
  return counted(n, 'row');
}

/** `12.5 %` */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** At most so many characters. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

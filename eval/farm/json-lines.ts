import { readFileSync } from 'node:fs';

/** A line of a file that is not blank, with its number from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** The lines of a file one by one, without blank ones; the file may be larger than a string can be. */
export function readLines(file: string): Generator<Line> {
  return linesOf(readFileSync(file));
}

/** The same of a text in UTF-8. */
export function* linesOf(bytes: Buffer): Generator<Line> {
  let start = 0;
  for (let number = 1; start < bytes.length; number++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    const text = bytes.toString('utf8', start, end).replace(BYTE_ORDER_MARK, '').trim();
    if (text !== '') yield { number, text };
    start = end + 1;
  }
}

const BYTE_ORDER_MARK = /^\uFEFF/;

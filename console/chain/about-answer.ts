import type { ToolAnswer } from '../../client/index.ts';

/** What a result is, in a few words, with its number of rows. */
export function aboutAnswer(answer: ToolAnswer): string {
  switch (answer.kind) {
    case 'value':
      return `value ${answer.value === null ? 'null' : answer.value}`;
    case 'column':
    case 'table':
      return answer.row_count === null ? answer.kind : `${answer.kind}, ${rowsText(answer.row_count)}`;
  }
}

/** `1 row`, `2,000 rows` */
export function rowsText(n: number): string {
  return `${n.toLocaleString('en')} ${n === 1 ? 'row' : 'rows'}`;
}

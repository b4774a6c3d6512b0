/** One replacement in a text: offsets are UTF-16, end exclusive. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with all edits made; edits must not overlap. */
export function editText(text: string, edits: readonly TextEdit[]): string {
  let edited = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    edited += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return edited + text.slice(at);
}

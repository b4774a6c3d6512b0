import { UserError } from '../../../contracts/errors.ts';

/** The value of a JSON text. UserError gives the line and column of the fault; `firstLine` is 1 unless given. */
export function parseJson(file: string, text: string, firstLine = 1): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = /at position (\d+)/.exec(message)?.[1];
    const before = text.slice(0, at === undefined ? text.length : Number(at));
    const line = firstLine + before.split('\n').length - 1;
    const column = before.length - before.lastIndexOf('\n');
    const reason = message.replace(/ in JSON at position \d+.*$/s, '').replace(/,? *\.{3}".*$/s, '');
    throw new UserError(
      'SPLIT_INVALID',
      file,
      `is not valid JSON at line ${line}, column ${column}: ${reason}`,
      {
        cause: error,
      },
    );
  }
}

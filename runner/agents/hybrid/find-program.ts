/**
 * The program in what a model wrote: the last fenced block of JavaScript, else all of it if it prints; null where there is
 * none. Thoughts before `</think>` are left out.
 */
export function findProgram(output: string): string | null {
  const end = output.lastIndexOf('</think>');
  const text = end < 0 ? output : output.slice(end + '</think>'.length);
  const fenced = [...text.matchAll(/```(?:js|javascript)?[ \t]*\n([\s\S]*?)(?:```|$)/gi)].at(-1)?.[1];
  const code = fenced ?? (/\bprint\s*\(/.test(text) ? text : '');
  return code.trim() === '' ? null : code.trim();
}

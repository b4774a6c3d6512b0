/** A text of at most `max` characters; what is cut off is said, with the whole length. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max)}… (cut after ${max} of ${text.length} characters)`;
}

/** Text that is safe between tags and in attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Colours that differ for most eyes, in order (after Okabe and Ito). */
export const COLOURS = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#f0e442',
  '#999999',
  '#000000',
];

export function colour(at: number): string {
  return COLOURS[at % COLOURS.length] ?? '#000000';
}

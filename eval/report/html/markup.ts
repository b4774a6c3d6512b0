/** HTML that is well-formed by construction: made by `html`, never from text. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Markup | readonly Markup[] | string | number | null;

/** A template that escapes every text put into it; markup and lists of markup go in as they are. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(
    parts.map((part, i) => part + (i < pieces.length ? pieceText(pieces[i] ?? null) : '')).join(''),
  );
}

function pieceText(piece: Piece): string {
  if (piece === null) return '';
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece));
  return piece.map(({ text }) => text).join('');
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

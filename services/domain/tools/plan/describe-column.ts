import type { CatalogColumn } from '../../../../contracts/catalog.ts';

const MAX_CHARACTERS = 240;

/** What the catalog says of a column, as one short text; null when it says no more than its name. */
export function describeColumn({
  name,
  friendly_name,
  description,
  value_description,
}: CatalogColumn): string | null {
  const parts = [friendly_name, description, value_description].flatMap((text) => {
    const clean = text?.replace(/\s+/g, ' ').trim() ?? '';
    return clean === '' || clean.toLowerCase() === name.toLowerCase() ? [] : [clean];
  });
  const different = parts.filter((part, i) => !parts.slice(0, i).some((other) => same(part, other)));
  const text = different.join('; ');
  if (text === '') return null;
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`;
}

function same(a: string, b: string): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return bare(a) === bare(b);
}

/** A domain's title: `california_schools` → `California schools`, `cre_Doc_Template_Mgt` → `Cre doc template mgt`. */
export function titleOf(db: string): string {
  const words = db
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z0-9]+$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return text === '' ? db : text.charAt(0).toUpperCase() + text.slice(1);
}

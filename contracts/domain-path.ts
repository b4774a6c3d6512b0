/**
 * The path of a domain, `/v1/<split>/<db>`. A database's name may contain any character that is valid in a file name.
 */
export function domainPath(split: string, db: string): string {
  return `/v1/${encodeURIComponent(split)}/${encodeURIComponent(db)}`;
}

/** Where a domain is served, `/v1/<split>/<db>`: a name of a database may hold anything that the name of a file may. */
export function domainPath(split: string, db: string): string {
  return `/v1/${encodeURIComponent(split)}/${encodeURIComponent(db)}`;
}

const DATABASE = /^postgres(?:ql)?:\/\//;

/** Whether a place of runs is the address of a database, `postgres://…`; else it is a file. */
export function isDatabaseAddress(place: string): boolean {
  return DATABASE.test(place);
}

/** A place of runs as it may be shown: without a password. */
export function shownPlace(place: string): string {
  if (!isDatabaseAddress(place) || !URL.canParse(place))
    return isDatabaseAddress(place) ? 'a database' : place;
  const { protocol, host, pathname } = new URL(place);
  return `${protocol}//${host}${pathname}`;
}

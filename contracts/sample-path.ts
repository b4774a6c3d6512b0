/**
 * A sample's id as four segments of an address: split, database, question and formulation. Only a question's id may
 * hold slashes, and they are encoded.
 */
export function samplePath(sampleId: string): string {
  const [split = '', db = '', ...rest] = sampleId.split('/');
  const formulation = rest.pop() ?? '';
  return [split, db, rest.join('/'), formulation].map(encodeURIComponent).join('/');
}

/** The licence of data that nobody has told. */
export const UNKNOWN_LICENCE = 'unknown';

/** A licence as an OpenAPI document names it. */
export interface LicenceObject {
  readonly name: string;
  /** An SPDX expression: of a licence that SPDX has no id for, a `LicenseRef-`. */
  readonly identifier: string;
}

/** The licence of a farm's data, for the documents that describe them. */
export function licenceObject(licence: string = UNKNOWN_LICENCE): LicenceObject {
  return { name: licence, identifier: spdxExpression(licence) };
}

function spdxExpression(licence: string): string {
  const creativeCommons = /^CC[ -]?(0|BY(?:[ -](?:NC|SA|ND))*)[ -](\d\.\d)$/i.exec(licence);
  if (creativeCommons) {
    const [, kind = '', version] = creativeCommons;
    const id = kind === '0' ? 'CC0' : `CC-${kind.replaceAll(' ', '-')}`;
    return `${id}-${version}`.toUpperCase();
  }
  if (licence !== UNKNOWN_LICENCE && /^[A-Za-z0-9.+-]+$/.test(licence)) return licence;
  return `LicenseRef-${licence.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-|-$/g, '') || UNKNOWN_LICENCE}`;
}

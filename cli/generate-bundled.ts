import { UserError } from '../contracts/errors.ts';
import { insteadOf } from '../contracts/wording.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { DOMAIN_NAMES, type DomainName } from '../databases/domains.ts';
import { DEFAULT_REFERENCE_TIME, DEFAULT_TIMEOUT } from '../generator/generate.ts';
import { generateFarm } from './generate-farm.ts';

/** The bundled split's name in addresses. */
export const BUNDLED_NAME = 'bundled';

/** Generates the farm of the bundled split, or of some of its domains. */
export async function generateBundled(
  out: string,
  {
    only,
    jobs,
  }: { readonly only?: readonly DomainName[] | undefined; readonly jobs?: number | undefined } = {},
): Promise<void> {
  const split = await buildBundledSplit(only ? { only } : {});
  await generateFarm(split, {
    out,
    name: BUNDLED_NAME,
    referenceTime: DEFAULT_REFERENCE_TIME,
    timeout: DEFAULT_TIMEOUT,
    jobs,
  });
}

/** The bundled domains of these names. Throws OPTION_INVALID for a name that is none of them. */
export function bundledDomains(names: readonly string[]): DomainName[] {
  return names.map((name) => {
    const found = DOMAIN_NAMES.find((known) => known === name);
    if (found !== undefined) return found;
    const detail = `there is no bundled domain ${name}${insteadOf(name, DOMAIN_NAMES)}`;
    throw new UserError('OPTION_INVALID', '--only', detail);
  });
}

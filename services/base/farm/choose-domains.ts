import { UserError } from '../../../contracts/errors.ts';
import type { Farm } from '../../../contracts/farm.ts';
import { insteadOf } from '../../../contracts/wording.ts';

/** The domains of a farm, all or those in `only`, in its order. Throws OPTION_INVALID for one it does not have. */
export function chooseDomains(farm: Farm, only: readonly string[] | undefined): string[] {
  const all = farm.domains.map(({ db }) => db);
  const unknown = only?.find((db) => !all.includes(db));
  if (unknown !== undefined) {
    const detail = `the farm has no domain ${unknown}${insteadOf(unknown, all)}`;
    throw new UserError('OPTION_INVALID', '--only', detail);
  }
  return only ? all.filter((db) => only.includes(db)) : all;
}

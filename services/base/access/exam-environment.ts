import { UserError } from '../../../contracts/errors.ts';

/** Whether `ROOKERY_EXAM` (`1` or `true`; unset, empty, `0` or `false` for no) says that an exam is given. Throws OPTION_INVALID. */
export function examEnvironment({ ROOKERY_EXAM: text = '' }: NodeJS.ProcessEnv): boolean {
  if (['', '0', 'false'].includes(text)) return false;
  if (['1', 'true'].includes(text)) return true;
  throw new UserError('OPTION_INVALID', 'ROOKERY_EXAM', `${text} cannot be used; give 1 or 0`);
}

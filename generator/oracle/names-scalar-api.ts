import { SCALARS_BY_NAME } from '../../services/base/scalars/registry.ts';
import { tokenize } from '../../sql/index.ts';

/** Whether the SQL names a scalar API, as a function or as a virtual table. */
export function namesScalarApi(sql: string): boolean {
  return tokenize(sql).some(({ kind, text }) => kind === 'word' && SCALARS_BY_NAME.has(text.toLowerCase()));
}

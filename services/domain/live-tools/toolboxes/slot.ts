import { SLOT_TOOLS } from '../../tools/registry.ts';
import { describeColumns } from '../../tools/tools/describe-columns.ts';
import type { Toolbox } from './toolbox.ts';

/** General tools, whose arguments name columns and choices. */
export const slot: Toolbox = {
  offered: () => Object.values(SLOT_TOOLS).filter((tool) => tool !== describeColumns),
  find: (name) => (Object.hasOwn(SLOT_TOOLS, name) ? SLOT_TOOLS[name] : undefined),
  names: () => Object.keys(SLOT_TOOLS),
  madeForColumns: false,
};

import { getterNames } from '../../../../contracts/getter.ts';
import { findSelTool } from '../../tools/sel/find-sel-tool.ts';
import { getterTool, SEL_TOOLS } from '../../tools/sel/sel-tools.ts';
import { describeColumns } from '../../tools/tools/describe-columns.ts';
import type { Toolbox } from './toolbox.ts';

/** A tool for each choice, and a getter for each column. */
export const sel: Toolbox = {
  offered(columns) {
    const names = getterNames(columns.map(({ key }) => key));
    return [
      ...Object.values(SEL_TOOLS).filter((tool) => tool !== describeColumns),
      ...columns.map(({ key, description }) => getterTool(names.get(key) as string, key, description)),
    ];
  },
  find: findSelTool,
  names: (keys) => [...Object.keys(SEL_TOOLS), ...getterNames(keys).values()],
  madeForColumns: true,
};

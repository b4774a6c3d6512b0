import type { FormatCommand } from './format-command.ts';

interface Format {
  readonly commands: readonly `${FormatCommand['of']} ${string}`[];
  readonly load: () => Promise<{ readonly commands: readonly FormatCommand[] }>;
}

/** The foreign formats, in the order of the help text. To remove one, delete its folder or file, and its line here. */
export const FORMATS: readonly Format[] = [
  { commands: ['export bfcl', 'import bfcl', 'score bfcl'], load: () => import('./bfcl/commands.ts') },
  { commands: ['export promptfoo'], load: () => import('./promptfoo/promptfoo.ts') },
  { commands: ['export live-api-bench', 'import live-api-bench'], load: () => import('./live-api-bench.ts') },
  { commands: ['export vakra', 'import vakra'], load: () => import('./vakra.ts') },
  { commands: ['export inspect', 'export inspect-log'], load: () => import('./inspect/commands.ts') },
  { commands: ['export harbor'], load: () => import('./harbor/harbor.ts') },
  { commands: ['import dbgorilla'], load: () => import('./dbgorilla.ts') },
];

import { buildBundledSplit } from '../databases/build.ts';
import { DEFAULT_REFERENCE_TIME } from '../generator/generate.ts';
import { generateFarm } from './generate-farm.ts';

/** The bundled split's name in addresses. */
export const BUNDLED_NAME = 'bundled';

/** Generates the farm of the bundled split. */
export async function generateBundled(out: string): Promise<void> {
  const split = await buildBundledSplit();
  await generateFarm(split, { out, name: BUNDLED_NAME, referenceTime: DEFAULT_REFERENCE_TIME, timeout: 30 });
}

import { buildBundledSplit } from '../databases/build.ts';
import { SMALL_DOMAINS } from '../databases/domains.ts';
import { DEFAULT_REFERENCE_TIME, generate } from '../generator/generate.ts';

/** Generates the farm of the bundled split in a folder, without output; returns the folder. */
export async function bundledFarm(out: string): Promise<string> {
  const referenceTime = DEFAULT_REFERENCE_TIME;
  await generate(await buildBundledSplit({ only: SMALL_DOMAINS, handWritten: true }), {
    out,
    name: 'bundled',
    referenceTime,
    timeoutMs: 30_000,
  });
  return out;
}

import { readFileSync } from 'node:fs';
import { UserError } from '../../contracts/errors.ts';
import { type PriceTable, priceTable } from '../../eval/metrics/efficiency.ts';

/** Reads `--prices`. Throws OPTION_INVALID. */
export function readPrices(file: string): PriceTable {
  try {
    return priceTable.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const fix = 'give {"<model>": {"input_per_million": 1, "output_per_million": 2}}';
    throw new UserError('OPTION_INVALID', file, `is not a price table; ${fix}`, { cause });
  }
}

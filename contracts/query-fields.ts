import { z } from 'zod';

/** A whole number as a query string or JSON has it. */
export const wholeNumber = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,16}$/, 'must be a whole number')
        .transform(Number),
    ])
    .pipe(z.number().int().min(min).max(max));

/** `true` or `false` as a query string or JSON has it. */
export const yesOrNo = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** `a,b`, a name given several times, or a JSON array. */
export const several = z.union([z.string(), z.array(z.string())]).transform((value) =>
  [value]
    .flat()
    .flatMap((text) => text.split(','))
    .filter((text) => text !== ''),
);

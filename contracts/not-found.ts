import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError, type UserErrorCode } from './errors.ts';
import { didYouMean, nearestNames } from './wording.ts';

/** Files that identify the folder of a split, by layout. */
const OF_SPLITS = ['questions.jsonl', 'dev.json', 'train.json', 'train_spider.json'];

export function farmNotFound(place: string): UserError {
  if (!existsSync(place)) return notFound('FARM_NOT_FOUND', place, MAKE);
  const fault = OF_SPLITS.some((file) => existsSync(join(place, file)))
    ? `is a split, not a farm; make a farm of it with \`rookery generate ${place} --out my-farm\``
    : `holds no farm.json; ${MAKE}`;
  return new UserError('FARM_NOT_FOUND', place, fault);
}

const MAKE = 'give a folder that `rookery generate <split> --out <folder>` made';

/** The error for a path that does not exist: suggests similar names there, or else the fix. */
export function notFound(code: UserErrorCode, place: string, fix: string): UserError {
  const folder = dirname(resolve(place));
  const near = existsSync(folder) ? nearestNames(basename(place), readdirSync(folder)) : [];
  return new UserError(code, place, `does not exist${didYouMean(near) || `; ${fix}`}`);
}

import { z } from 'zod';
import { DEFAULT_LIST, type ListOptions, listOptions } from '../../../contracts/list-options.ts';
import { formulation } from '../../../contracts/sample.ts';
import { shareText } from '../../../contracts/share.ts';

/** What a list is of: a task, or a domain's toolset. */
export const listSubject = z.union([
  z.strictObject({ task: z.string() }),
  z.strictObject({
    db: z.string(),
    formulation,
    start_tables: z.array(z.string()),
    /** Of `hybrid`: one of those that the farm hides; the first unless it is told. */
    share: shareText.optional(),
  }),
]);
export type ListSubject = z.infer<typeof listSubject>;

export interface ListAddress {
  readonly subject: ListSubject;
  readonly options: ListOptions;
}

const written = z.tuple([listSubject, listOptions]);

/** The part of an address that stands for a list: all it takes to make the list again, so nothing need be kept. */
export function printListAddress({ subject, options }: ListAddress): string {
  const different = Object.entries(options).filter(
    ([name, value]) => value !== DEFAULT_LIST[name as keyof ListOptions],
  );
  return Buffer.from(JSON.stringify([subject, Object.fromEntries(different)])).toString('base64url');
}

/** undefined when no list has this address. */
export function parseListAddress(text: string): ListAddress | undefined {
  try {
    const [subject, options] = written.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return { subject, options };
  } catch {
    return undefined;
  }
}

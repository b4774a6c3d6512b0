import { z } from 'zod';

/** Which share of a domain's tables is hidden, in percent, and by which seed they were drawn. */
export const hiddenShare = z.object({
  share: z.number().int().min(0).max(100),
  seed: z.number().int().min(0),
});
export type HiddenShare = Readonly<z.infer<typeof hiddenShare>>;

/** The shares that are measured. */
export const SHARES = [0, 20, 40, 60, 80, 100] as const;

const SHARE = /^(?:100|[1-9]?\d)(?:-[1-9]\d{0,8})?$/;

/** A share as `printShare` writes it. */
export const shareText = z.string().regex(SHARE, 'must be a share from 0 to 100, such as 40, or 40-7');

/** A service of which only the tools of one of its shares are looked at; as it is where no share is given. */
export function atShare<T extends { readonly hidden?: HiddenShare[] | undefined }>(
  service: T,
  share: HiddenShare | undefined,
): T {
  return share ? { ...service, hidden: [{ share: share.share, seed: share.seed }] } : service;
}

/** `40`, or with a seed other than 0 `40-7`: how addresses and ids write it. */
export function printShare({ share, seed }: HiddenShare): string {
  return seed === 0 ? String(share) : `${share}-${seed}`;
}

/** The share that a text says; null for anything else. */
export function readShare(text: string): HiddenShare | null {
  const [, share = '', seed = '0'] = /^(\d{1,3})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  if (share === '' || Number(share) > 100) return null;
  return { share: Number(share), seed: Number(seed) };
}

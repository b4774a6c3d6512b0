/** Which share of a domain's tables is hidden, in percent, and by which seed they were drawn. */
export interface HiddenShare {
  readonly share: number;
  readonly seed: number;
}

/** The shares that are measured. */
export const SHARES = [0, 20, 40, 60, 80, 100] as const;

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

/** Progress of fetching in bytes; `total` is null until it is known. */
export interface FetchProgress {
  readonly stage: 'download' | 'checksum' | 'copy' | 'unpack';
  readonly done: number;
  readonly total: number | null;
  /** The file at hand. */
  readonly label: string;
}

export type OnProgress = (progress: FetchProgress) => void;

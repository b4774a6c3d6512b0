/** How far fetching is, in bytes; `total` is null as long as nobody knows. */
export interface FetchProgress {
  readonly stage: 'download' | 'checksum' | 'copy' | 'unpack';
  readonly done: number;
  readonly total: number | null;
  /** The file at hand. */
  readonly label: string;
}

export type OnProgress = (progress: FetchProgress) => void;

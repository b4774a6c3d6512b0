import type { HiddenShare } from '../../contracts/share.ts';
import type { OnBug } from '../lower/candidate.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Sharpen } from '../search/messages.ts';

/** How domains are proven; plain data, which a child process can be given. */
export interface DomainOptions {
  readonly split: string;
  readonly dataLicence: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  /** Milliseconds of processor time that a gold query may take. */
  readonly timeoutMs: number;
  /** Whether parameters of endpoints stand in the path where they can. */
  readonly pathParameters: boolean;
  /** The shares of the tables that are hidden from the tools of `hybrid`. */
  readonly hidden?: readonly HiddenShare[] | undefined;
  /** A folder for temporary files, on the disk of the output. */
  readonly scratch: string;
  /** Child processes of each kind to use. */
  readonly jobs: number;
}

/** Context for generating one domain. */
export interface DomainContext extends DomainOptions {
  readonly oracle: Oracle;
  readonly sharpen: Sharpen;
  readonly signal?: AbortSignal | undefined;
  /** Called once for each verdict. */
  readonly onVerdict?: () => void;
  /** Called before each step that can take long. */
  readonly onStep?: (step: string) => void;
  /** Without it, the first bug ends the run. */
  readonly onBug?: OnBug | undefined;
}

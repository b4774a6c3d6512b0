import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { temporaryFolder, writeFiles } from './split-fixture.ts';

/** Runs what a container would, outside of one; it has the one image that is named. */
const script = (image: string) => `#!/bin/sh
case $1 in
  run) while [ "$1" != python3 ]; do shift; done; exec "$@" ;;
  image) [ "$5" = '${image}' ] || { echo "Error: No such image: $5" >&2; exit 1; } ;;
esac
`;

/** Puts a `docker` first in PATH, for one test. */
export function stubDocker(image: string): void {
  const folder = temporaryFolder();
  writeFiles(folder, { docker: script(image) });
  chmodSync(join(folder, 'docker'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

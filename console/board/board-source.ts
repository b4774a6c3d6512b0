import { useEffect, useState } from 'preact/hooks';
import type { SampleReview } from '../../client/index.ts';
import {
  type Board,
  type BoardReport,
  type BoardRun,
  type BoardSample,
  type Columns,
  REVIEWS_PER_FILE,
  unpackRows,
} from '../../runner/leaderboard/board.ts';
import type { LeaderboardRow } from '../../runner/leaderboard/leaderboard.ts';
import { askOnce, exactJson, parseToShow } from '../farm.ts';
import { filteredRow, filterSamples, intervalOf, isOpen, type SampleFilter } from './board-data.ts';

/** Where the files of the board are, on a site of files; empty: in the page itself; undefined where a farm serves them. */
export function siteFiles(): string | undefined {
  return document.getElementById('console')?.dataset.files;
}

/** A board without its samples. Throws RookeryError, or Error for a file that is not there. */
export function readBoard(): Promise<Board> {
  return read('board.json');
}

const samplesOf = new Map<string, Promise<readonly BoardSample[]>>();

/** The samples of a run, read once. Throws what reading a board throws. */
export function readSamples(run: string): Promise<readonly BoardSample[]> {
  return askOnce(samplesOf, run, async () => unpackRows(await read<Columns>(`samples/${run}.json`)));
}

/** The review of a run's n-th sample. Throws what reading a board throws. */
export async function readReview(run: string, n: number): Promise<SampleReview> {
  const file = Math.floor(n / REVIEWS_PER_FILE);
  const reviews = await read<readonly SampleReview[]>(`reviews/${run}/${file}.json`);
  const review = reviews[n % REVIEWS_PER_FILE];
  if (!review) throw new Error(`${run} has no sample ${n}.`);
  return review;
}

async function read<T>(path: string): Promise<T> {
  const files = siteFiles();
  if (files === '') return embedded<T>(path);
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  if (files === undefined) return exactJson(`/board/${encoded}`);
  const answer = await fetch(`${files}/${encoded}`);
  if (!answer.ok) throw new Error(`${path} cannot be read: ${answer.status}.`);
  return parseToShow(await answer.text()) as T;
}

let files: Readonly<Record<string, unknown>> | undefined;

/** A file of a page that has them all. */
function embedded<T>(path: string): T {
  files ??= parseToShow(document.getElementById('files')?.textContent ?? '') as typeof files;
  if (files === undefined || !Object.hasOwn(files, path)) throw new Error(`${path} is not in this page.`);
  return files[path] as T;
}

/** Every figure of the report behind a run. Throws what reading a board throws. */
export function readReport(run: string): Promise<BoardReport> {
  return read(`reports/${run}.json`);
}

/**
 * The rows of runs over the samples that a filter leaves. They are made one run after the other, figures first and then intervals,
 * so that the page can be used meanwhile; until all have figures, the last rows stay.
 */
export function useRows(
  runs: readonly BoardRun[],
  samples: ReadonlyMap<string, readonly BoardSample[]> | undefined,
  filter: SampleFilter,
): readonly LeaderboardRow[] {
  const whole = isOpen(filter) || samples === undefined;
  const key = JSON.stringify([runs.map(({ id }) => id), filter, whole]);
  const [rows, setRows] = useState<readonly LeaderboardRow[] | null>(null);
  useEffect(() => {
    if (whole) {
      setRows(null);
      return undefined;
    }
    const left = runs.map((run) => filterSamples(samples.get(run.id) ?? [], filter));
    const made: LeaderboardRow[] = [];
    const work = [
      ...runs.map((run, i) => () => made.push(filteredRow(run, left[i] ?? []))),
      ...runs.map((run, i) => () => {
        made[i] = { ...(made[i] ?? run.row), interval: intervalOf(run, left[i] ?? []) };
      }),
    ];
    let next = 0;
    let timer = window.setTimeout(function go() {
      work[next++]?.();
      if (made.length === runs.length) setRows([...made]);
      if (next < work.length) timer = window.setTimeout(go);
    });
    return () => window.clearTimeout(timer);
  }, [key]);
  return whole || rows === null ? runs.map(({ row }) => row) : rows;
}

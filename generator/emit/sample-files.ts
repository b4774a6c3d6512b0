import type { Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { emitTask } from '../../services/agents/tasks/emit-task.ts';
import type { FarmFile } from '../write/farm-file.ts';
import { printJson } from '../write/print-json.ts';

/** The files of a domain's samples: what agents are given of them, and their gold. */
export function sampleFiles(samples: readonly Sample[], service: Service): FarmFile[] {
  const lines = (records: readonly object[]) =>
    records.map((record) => printJson(record, { compact: true })).join('');
  return [
    {
      path: `tasks/${service.db}.jsonl`,
      content: lines(samples.map((sample) => emitTask(sample, service))),
    },
    { path: `eval/${service.db}.jsonl`, content: lines(samples) },
  ];
}

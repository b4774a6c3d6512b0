import type { Prediction } from '../../contracts/prediction.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { isObject, type Json } from '../json/lossless.ts';
import { type Imported, importInvalid } from './imported.ts';
import { nativeCalls } from './native-calls.ts';
import { readRecords, SampleFinder } from './sample-finder.ts';

/**
 * Reads records of Live API-Bench, of which `output` holds the calls: those that make the start table are left out, for
 * they are given. A record belongs to the sample that `rookery_sample_id` names, or else to the sample of its domain with
 * the same question. Throws IMPORT_INVALID.
 */
export function importLiveApiBench(
  file: string,
  samples: readonly Sample[],
  formulation: Formulation,
): Imported {
  const finder = new SampleFinder(samples, formulation);
  const predictions: Prediction[] = [];
  const unmatched: string[] = [];
  for (const [i, record] of readRecords(file).entries()) {
    const place = `${file}: record ${i + 1}`;
    if (!isObject(record) || typeof record.dataset_name !== 'string' || typeof record.input !== 'string')
      throw importInvalid(place, 'has no dataset_name, or no input');
    const { rookery_sample_id: id, dataset_name: domain, input, output } = record;
    const name = typeof id === 'string' ? id : `${domain} ${String(record.sample_id ?? i)}`;
    const sample = finder.find(name, domain, input);
    if (sample === undefined) unmatched.push(name);
    else predictions.push({ sample_id: sample.sample_id, calls: callsIn(place, output ?? [], formulation) });
  }
  return { predictions, unmatched };
}

function callsIn(place: string, output: Json, kind: Formulation): Json[] {
  if (!Array.isArray(output)) throw importInvalid(place, 'has an output that is not a list of calls');
  return nativeCalls(
    output.filter((call) => !isObject(call) || call.name !== 'initialize_active_data'),
    kind,
  );
}

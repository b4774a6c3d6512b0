/**
 * How many of a farm's samples can have each silent fault, and what scripted agents make of them: `npm run bench:faults
 * -- <farm> [samples a kind]`. Prints one line a kind and contradiction.
 */
import { contradiction, faultWitness, silentFaultKind } from '../contracts/faults.ts';
import { type Examination, openExam } from '../tests/support/silent-faults/exam.ts';

const [folder = 'farm', most = '25'] = process.argv.slice(2);
const exam = await openExam(folder);
const some = <T>(all: readonly T[]): T[] => {
  const step = Math.max(1, Math.floor(all.length / Number(most)));
  return all.filter((_, i) => i % step === 0).slice(0, Number(most));
};
const withAny = exam.samples.filter(({ silent_faults }) => silent_faults);
console.log(`${withAny.length} of ${exam.samples.length} samples can have a silent fault`);
for (const fault of silentFaultKind.options) {
  for (const kind of contradiction.options) {
    const all = exam.samplesWith(fault, { contradiction: kind }, () => true);
    const by = faultWitness.options.flatMap((witness) => {
      const n = exam.samplesWith(fault, { contradiction: kind }, (found) => found.includes(witness)).length;
      return n === 0 ? [] : [`${witness} ${n}`];
    });
    const forms = ['rest', 'slot', 'sel'].map(
      (form) => all.filter(({ formulation }) => formulation === form).length,
    );
    const figures: string[] = [];
    for (const lasting of ['transient', 'permanent'] as const) {
      const samples = some(
        exam.samplesWith(
          fault,
          { contradiction: kind },
          (found) => lasting === 'transient' || !found.includes('repeat'),
        ),
      );
      for (const manner of ['trusting', 'asking_twice'] as const) {
        if (samples.length === 0) continue;
        const examination: Examination = { fault, contradiction: kind, lasting, manner };
        const [counts] = (await exam.examine(samples, examination)).metrics.silent_faults?.kinds ?? [];
        const { n = 0, noticed = 0, recovered = 0, admitted = 0 } = counts ?? {};
        figures.push(
          `${lasting} ${manner}: ${noticed}/${n} noticed, ${recovered} recovered, ${admitted} admitted`,
        );
      }
    }
    console.log(
      [`${fault} ${kind}: ${all.length} (${forms.join('/')})`, by.join(', '), ...figures].join(' | '),
    );
  }
}
// Where one witness alone tells, an agent that checks everything finds the fault by it and by nothing else.
for (const witness of ['other_endpoint', 'question'] as const) {
  for (const fault of silentFaultKind.options) {
    const all = exam.samplesWith(fault, { contradiction: 'implicit' }, (found) => found.join() === witness);
    const samples = some(all);
    if (samples.length === 0) continue;
    const figures: string[] = [];
    for (const manner of ['trusting', 'checking'] as const) {
      const examination: Examination = { fault, contradiction: 'implicit', lasting: 'permanent', manner };
      const [counts] = (await exam.examine(samples, examination)).metrics.silent_faults?.kinds ?? [];
      figures.push(`${manner}: ${counts?.noticed}/${counts?.n} noticed, ${counts?.admitted} admitted`);
    }
    console.log(`${fault} told by ${witness} alone: ${all.length} | ${figures.join(' | ')}`);
  }
}
await exam.close();

import { farm } from '../farm.ts';
import { useAnswer } from '../use-answer.ts';
import { Answer } from './answer.tsx';
import { RowsTable } from './rows-table.tsx';

/** Which farm is served, and how much of its split it kept: what figures of runs are worth nothing without. */
export function AboutFarm() {
  const about = useAnswer('farm', () => farm().about());
  return (
    <details>
      <summary>Which farm this is, and its coverage</summary>
      <Answer asked={about}>
        {({ name, split, hash, world, generator_version, reference_time, samples, coverage }) => {
          const kinds = (Object.keys(samples) as (keyof typeof samples)[]).filter((kind) => samples[kind]);
          return (
            <>
              <dl class="facts">
                <dt>farm</dt>
                <dd>
                  {name}, of the split {split}
                </dd>
                <dt>hash</dt>
                <dd>
                  <code>{hash}</code>
                </dd>
                <dt>world</dt>
                <dd>
                  {world === null ? (
                    'none: these are the split’s own data'
                  ) : (
                    <>
                      <code>{world.commitment}</code> of the farm <code>{world.origin}</code>
                    </>
                  )}
                </dd>
                <dt>made by</dt>
                <dd>
                  rookery {generator_version}; “now” is {reference_time}
                </dd>
                {kinds.map((kind) => (
                  <>
                    <dt>{kind.toUpperCase()}</dt>
                    <dd>{samples[kind]?.toLocaleString('en')} proven tasks</dd>
                  </>
                ))}
              </dl>
              {coverage && (
                <RowsTable
                  label="Coverage by construct of the gold SQL"
                  columns={['construct', 'questions', ...kinds.map((kind) => kind.toUpperCase())]}
                  rows={coverage.constructs.map(({ construct, questions, kept }) => ({
                    construct: construct.replaceAll('_', ' '),
                    questions,
                    ...Object.fromEntries(
                      kinds.map((kind) => [
                        kind.toUpperCase(),
                        `${(((kept[kind] ?? 0) / questions) * 100).toFixed(1)} %`,
                      ]),
                    ),
                  }))}
                />
              )}
            </>
          );
        }}
      </Answer>
    </details>
  );
}

import type { ServedGold } from '../../client/index.ts';
import { goldOf } from '../farm.ts';
import { linkTo } from '../route.ts';
import { Answer, useAnswer } from './answer.tsx';
import { TurnEntry } from './review.tsx';
import { Folded, PositionedRows, Scrolled } from './tables.tsx';

/** A dialogue: what its user says, and what each turn leads to. */
export function DialogueShown({ turns = [], user }: Pick<ServedGold, 'turns' | 'user'>) {
  return (
    <>
      <h2>Turn by turn</h2>
      <ol class="turns">
        {turns.map(({ text, edit, refs, takes_back, sample_id }, i) => {
          const domain = domainOf(sample_id);
          const facts = [
            edit.replaceAll('_', ' '),
            ...(domain === domainOf(turns[0]?.sample_id) ? [] : [`in ${domain}`]),
            ...(takes_back === undefined ? [] : [`takes back turn ${takes_back}`]),
            ...refs.map(({ words, turn }) => `“${words}” stands for turn ${turn}`),
            ...(user?.slots ?? [])
              .filter(({ turn, withheld }) => withheld && turn === i + 1)
              .map(({ name, said }) => `leaves out the ${name}: ${said}`),
          ];
          return (
            <TurnEntry
              key={sample_id}
              n={i + 1}
              link={linkTo(['task', ...sample_id.split('/')])}
              label={`Turn ${i + 1} alone`}
              look="turn"
              title={text}
              facts={facts}
            >
              <TurnGold sampleId={sample_id} number={i + 1} />
            </TurnEntry>
          );
        })}
      </ol>
    </>
  );
}

function domainOf(sampleId = '') {
  return sampleId.split('/')[1];
}

function TurnGold({ sampleId, number }: { readonly sampleId: string; readonly number: number }) {
  const gold = useAnswer(`gold ${sampleId}`, () => goldOf(sampleId));
  return (
    <Answer asked={gold}>
      {({ query, output, gold_answer, gold_columns }) => (
        <>
          {output.length > 0 && (
            <Scrolled label={`Gold calls of turn ${number}`}>
              <pre>
                {output.map(({ name, arguments: args }) => `${name} ${JSON.stringify(args)}`).join('\n')}
              </pre>
            </Scrolled>
          )}
          {gold_columns.length > 0 && (
            <PositionedRows label={`Known after turn ${number}`} rows={gold_answer} columns={gold_columns} />
          )}
          {query !== '' && <Folded title={`Gold SQL of turn ${number}`} text={query} />}
        </>
      )}
    </Answer>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ClientTask } from '../../client/index.ts';
import { farm, goldOf } from '../farm.ts';
import { Answer, Header, Prose, useAnswer, useTitle } from '../parts/answer.tsx';
import { DialogueShown } from '../parts/dialogue.tsx';
import { GoldShown } from '../parts/gold.tsx';
import { VirtualRows } from '../parts/tables.tsx';
import { linkTo } from '../route.ts';

interface Described {
  readonly name: string;
  readonly description: string;
}

/** A task as an agent gets it: the question, its start tables, and the tools. */
export function TaskView({ sampleId }: { readonly sampleId: string }) {
  useTitle('Task');
  const task = useAnswer(`task ${sampleId}`, () => farm().task(sampleId, { evidence: true }));
  return (
    <Answer title="Task" asked={task}>
      {(known) => <Task task={known} />}
    </Answer>
  );
}

function Task({ task }: { readonly task: ClientTask }) {
  const { sample_id, db, question, evidence, formulation, difficulty, start_tables, toolset_size } = task;
  return (
    <>
      <Header
        title={question}
        path={[
          ['Tasks', linkTo(['tasks'])],
          [db, linkTo(['tasks'], { db })],
        ]}
        about={evidence !== undefined && evidence !== '' ? <Prose text={evidence} /> : undefined}
        actions={
          start_tables.length > 0 &&
          formulation !== 'query' && (
            <a class="button main" href={linkTo(['playground', db], { task: sample_id })}>
              Try it in the playground
            </a>
          )
        }
      />
      <dl class="facts">
        <dt>id</dt>
        <dd>
          <code>{sample_id}</code>
        </dd>
        <dt>formulation</dt>
        <dd>{formulation.toUpperCase()}</dd>
        <dt>domain</dt>
        <dd>
          <a href={linkTo(['domain', db])}>{db}</a>
        </dd>
        <dt>difficulty</dt>
        <dd>{difficulty ?? 'not stated'}</dd>
        <dt>tools</dt>
        <dd>{toolset_size}</dd>
        {start_tables.map(({ label, handle, alias_to_table_dict }) => (
          <>
            <dt>starts from</dt>
            <dd>
              <code>{label}</code> = <code>{handle}</code>, made of{' '}
              {Object.values(alias_to_table_dict)
                .map((table) => table.original_table_name)
                .join(', ')}
            </dd>
          </>
        ))}
      </dl>
      <Gold sampleId={sample_id} />
      <OnceOpened title="The tools">
        <ToolNames sampleId={sample_id} />
      </OnceOpened>
    </>
  );
}

function OnceOpened({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {open && children}
    </details>
  );
}

/** Requires the harness key. */
export function Gold({ sampleId }: { readonly sampleId: string }) {
  return (
    <OnceOpened title="The gold">
      <GoldLoaded sampleId={sampleId} />
    </OnceOpened>
  );
}

function GoldLoaded({ sampleId }: { readonly sampleId: string }) {
  const gold = useAnswer(`gold ${sampleId}`, () => goldOf(sampleId));
  return (
    <Answer asked={gold}>
      {(known) => (known.turns ? <DialogueShown {...known} /> : <GoldShown gold={known} />)}
    </Answer>
  );
}

function ToolNames({ sampleId }: { readonly sampleId: string }) {
  const list = useAnswer(`tools ${sampleId}`, () => farm().tools(sampleId, 'plain'));
  return (
    <Answer asked={list}>
      {({ tools, tokens }) => (
        <>
          <p class="note">About {tokens.toLocaleString('en')} tokens to read.</p>
          <VirtualRows
            label="Tools"
            items={tools as readonly Described[]}
            head={['Tool', 'What it does']}
            row={({ name, description }) => (
              <>
                <td>
                  <code>{name}</code>
                </td>
                <td class="wide" title={description}>
                  {description}
                </td>
              </>
            )}
          />
        </>
      )}
    </Answer>
  );
}

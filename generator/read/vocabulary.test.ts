import { describe, expect, test } from 'vitest';
import type { Catalog, CatalogColumn } from '../../contracts/catalog.ts';
import { UserError } from '../../contracts/errors.ts';
import { draftVocabulary, editedText, vocabularyText } from '../english/draft-vocabulary.ts';
import { sqlHash, withVocabulary } from './descriptions.ts';

function column(name: string, more: Partial<CatalogColumn> = {}): CatalogColumn {
  return {
    name,
    declared_type: 'TEXT',
    type: 'string',
    not_null: false,
    primary_key: 0,
    collation: 'BINARY',
    friendly_name: null,
    description: null,
    value_description: null,
    statistics: {
      rows: 2,
      nulls: 0,
      distinct: 2,
      min: 'A',
      max: 'B',
      storage: { integer: 0, real: 0, text: 2, blob: 0 },
    },
    ...more,
  };
}

const LEGEND = 'A = active, B = stored';
const PLANES: Catalog = {
  db: 'planes',
  tables: [
    {
      name: 'plane',
      friendly_name: null,
      description: null,
      rows: 2,
      columns: [
        column('tail'),
        column('opened', { statistics: { ...column('').statistics, min: '2020-01-01', max: '2021-01-01' } }),
        column('status', { value_description: LEGEND }),
      ],
      foreign_keys: [],
      has_rowid: true,
      view: false,
    },
  ],
};

function fault(text: string): string {
  try {
    withVocabulary(PLANES, 'planes.yaml', text);
    return '';
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `${error.file}: ${error.message}`;
  }
}

describe('a vocabulary', () => {
  test('gives tables and columns their words', () => {
    const {
      catalog: { tables },
    } = withVocabulary(
      PLANES,
      'planes.yaml',
      'tables:\n  plane:\n    one: aircraft\n    many: aircraft\n    columns:\n      tail: {noun: tail number}\n',
    );
    expect(tables[0]?.words).toEqual({ one: 'aircraft', many: 'aircraft' });
    expect(tables[0]?.columns.map(({ words }) => words?.noun)).toEqual(['tail number', undefined, undefined]);
  });

  test.each([
    ['tables: [', 'planes.yaml: is not YAML'],
    ['tables: {plan: {}}', 'planes.yaml: tables has "plan", which the database has not; did you mean plane?'],
    [
      'tables: {plane: {columns: {tails: {noun: tail}}}}',
      'planes.yaml: tables.plane.columns has "tails", which the database has not; did you mean tail?',
    ],
    ['tables: {plane: {called: [name]}}', 'planes.yaml: tables.plane.called has "name"'],
    ['tables: {plane: {colour: red}}', 'planes.yaml: tables.plane has colour, which it cannot have'],
    [
      'tables: {plane: {columns: {tail: {noun: 1st tail}}}}',
      'planes.yaml: tables.plane.columns.tail.noun must be letters, digits, spaces and hyphens',
    ],
    [
      'tables: {plane: {columns: {tail: {noun: mark}, status: {noun: Mark}}}}',
      'planes.yaml: tables.plane.columns.status.noun is "Mark", as tables.plane.columns.tail.noun is; use different words',
    ],
    [
      'endpoints: {7: {summary: Planes in the air}, 9: {summary: planes in the air}}',
      'planes.yaml: endpoints.9.summary is "planes in the air", as endpoints.7.summary is',
    ],
    ['endpoints: {7: {name: Planes}}', 'planes.yaml: endpoints.7.name must be words of a-z and 0-9'],
    [
      'tables: {plane: {columns: {tail: {missing: have no tail}}}}',
      'planes.yaml: tables.plane.columns.tail has only one of missing and present',
    ],
  ])('%s is refused', (text, expected) => {
    expect(fault(text)).toContain(expected);
  });

  test('is edited field by field: what stays keeps its comments, and what is emptied goes', () => {
    const text = `tables:
  plane:
    one: aircraft # not "plane"
    many: aircraft
    columns:
      747: {noun: jumbo}
      tail: {noun: tail number}
      status: {noun: state}
endpoints:
  7: {name: planes}
`;
    const edited = editedText(text, {
      tables: {
        plane: { one: 'aircraft', row: 'one machine', columns: { 747: { noun: 'giant' }, tail: {} } },
      },
      endpoints: { 7: { name: 'all_planes' }, 8: {} },
    });
    expect(edited).toBe(`tables:
  plane:
    one: aircraft # not "plane"
    columns:
      747: { noun: giant }
      status: { noun: state }
    row: one machine
endpoints:
  7: { name: all_planes }
`);
    expect(editedText(null, { tables: { plane: { one: 'aircraft' } } })).toBe(
      'tables:\n  plane:\n    one: aircraft\n',
    );
  });

  test('is drafted by the rules', () => {
    const { plane } = draftVocabulary(PLANES, []).tables;
    expect(plane).toMatchObject({ one: 'plane', many: 'planes' });
    expect(plane?.columns).toMatchObject({
      opened: { noun: 'opening date', when: 'was opened' },
      status: { noun: 'status', codes: { A: 'active', B: 'stored' } },
    });
  });

  test('keeps the edits and comments of a person when it is completed', () => {
    const edited = 'tables:\n  plane:\n    one: aircraft # as the pilots say\n    many: aircraft\n';
    const text = vocabularyText(draftVocabulary(PLANES, []), edited);
    expect(text).toContain('one: aircraft # as the pilots say');
    expect(text).toContain('noun: status');
    expect(vocabularyText(draftVocabulary(PLANES, []), text)).toBe(text);
  });

  test('lists endpoints as comments, and keeps what a person wrote about them', () => {
    const hash = sqlHash('SELECT tail FROM plane');
    const drafted = [7, 9].map((question_id) => ({
      question_id,
      hash,
      sql: 'SELECT tail FROM plane',
      name: 'planes',
      summary: 'Tails of planes',
    }));
    const edited = 'endpoints:\n  7:\n    name: fleet\n';
    const text = vocabularyText(draftVocabulary(PLANES, []), edited, drafted);
    expect(text).toContain('    # summary: Tails of planes');
    expect(Object.fromEntries(withVocabulary(PLANES, 'planes.yaml', text).endpoints)).toEqual({
      7: { name: 'fleet', sql: hash },
      9: { sql: hash },
    });
    expect(vocabularyText(draftVocabulary(PLANES, []), text, drafted)).toBe(text);
  });
});

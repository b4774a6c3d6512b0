import { expect, test } from 'vitest';
import { restFixture } from '../lower/testing/rest-fixture.ts';
import { Lexicon } from './lexicon.ts';
import { lowerWords, plural, pluralValues, segment, singular } from './words.ts';

test.each([
  ['NumTstTakr', 'num tst takr'],
  ['CDSCode', 'cds code'],
  ['eye_colour_id', 'eye colour id'],
  ['Percent (%) Eligible Free (K-12)', 'percent eligible free k12'],
  ['Charter School (Y/N)', 'charter school'],
  ['other Face IDs', 'other face ids'],
  ["member's first name", 'member first name'],
  ['Größe', 'groesse'],
  ['Ærø & Łódź', 'aero and lodz'],
  ['номерЗаказа', 'номер заказа'],
  ['客户 (2023年)', '客户 2023年'],
  ['18_49_Rating_Share', '18 49 rating share'],
])('the words of %s', (text, words) => {
  expect(lowerWords(text).join(' ')).toBe(words);
});

test('compounds are taken apart only into words that people use', () => {
  const vocabulary = new Set(['sat', 'scores', 'country', 'language', 'pet', 'therapist', 'the', 'rapist']);
  expect(segment('satscores', vocabulary)).toEqual(['sat', 'scores']);
  expect(segment('countrylanguage', vocabulary)).toEqual(['country', 'language']);
  expect(segment('petid', vocabulary)).toEqual(['pet', 'id']);
  expect(segment('therapist', vocabulary)).toBeNull();
  expect(segment('frpm', vocabulary)).toBeNull();
});

test.each([
  ['school', 'schools'],
  ['superhero', 'superheroes'],
  ['singer in concert', 'singers in concert'],
  ['date of birth', 'dates of birth'],
  ['URL', 'URLs'],
  ['ID', 'IDs'],
  ['series', 'series'],
  ['status', 'statuses'],
  ['how to get there', 'how to get there'],
  ['active from date', 'active from dates'],
  ['date effective from', 'dates effective from'],
  ['caused by ship ID', 'caused by ship IDs'],
  ['weather', 'weather'],
  ['IgG', 'IgGs'],
])('more than one %s', (one, many) => {
  expect(plural(one.split(' ')).join(' ')).toBe(many);
  expect(singular(many.split(' ')).join(' ')).toBe(one);
});

test('values that are no nouns stay as they are', () => {
  expect(pluralValues(['date', 'received'])).toEqual(['dates', 'received']);
  expect(pluralValues(['spent'])).toEqual(['spent']);
  expect(pluralValues(['passed', 'at'])).toEqual(['passed', 'at']);
  expect(pluralValues(['breed'])).toEqual(['breeds']);
});

test('a friendly name replaces an abbreviation, not a plain name', () => {
  const { catalog } = restFixture(`
    CREATE TABLE tbl_films (film_id INTEGER PRIMARY KEY, AvgScrMath REAL, type TEXT, A2 TEXT, dob TEXT, IRC TEXT);
    CREATE TABLE disp (disp_id INTEGER PRIMARY KEY);
    CREATE TABLE frpm (x INTEGER);
  `);
  const say = (table: string, column: string, more: object) =>
    Object.assign(
      catalog.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column) ?? {},
      more,
    );
  say('tbl_films', 'AvgScrMath', { friendly_name: 'average scores in Math' });
  say('tbl_films', 'type', { friendly_name: '+/- transaction' });
  say('tbl_films', 'A2', { friendly_name: 'no. of municipalities with inhabitants < 499' });
  say('tbl_films', 'dob', { description: 'date of birth' });
  say('disp', 'disp_id', { friendly_name: 'disposition id' });
  const lexicon = new Lexicon(catalog, []);
  const words = (column: string) => lexicon.column('tbl_films', column).join(' ');
  expect(words('AvgScrMath')).toBe('avg scores in math');
  expect(lexicon.columnText('tbl_films', 'AvgScrMath')).toBe('average score in math');
  expect(words('type')).toBe('type');
  expect(words('A2')).toBe('num municipalities inhabitants under 499');
  expect(words('dob')).toBe('date of birth');
  expect(words('IRC')).toBe('IRC');
  expect(lexicon.noun('tbl_films')).toEqual({ one: ['film'], many: ['films'] });
  expect(lexicon.noun('disp')).toEqual({ one: ['disposition'], many: ['dispositions'] });
  expect(lexicon.noun('frpm')).toEqual({ one: ['frpm'], many: ['frpm', 'records'] });
});

test('what is no noun is counted in records', () => {
  const { catalog, question } = restFixture(`
    CREATE TABLE weather (x); CREATE TABLE has_pet (x); CREATE TABLE takes (x); CREATE TABLE trained_in (x);
    CREATE TABLE enroll (x); CREATE TABLE visits (x); CREATE TABLE classroom (x); CREATE TABLE orders_10k (x);
    CREATE TABLE sales_2k (x); CREATE TABLE sales_5k (x);
  `);
  const asked = question('SELECT 1', 'Which class has been trained in which room, and takes the pet?');
  const lexicon = new Lexicon(catalog, [asked]);
  expect(catalog.tables.map(({ name }) => lexicon.noun(name).many.join(' '))).toEqual([
    'weather records',
    'has pet records',
    'takes records',
    'trained-in records',
    'enroll records',
    'visits',
    'classrooms',
    'orders',
    'sales 2k records',
    'sales 5k records',
  ]);
});

test('abbreviations that nobody uses are written out', () => {
  const { catalog, question } = restFixture(
    'CREATE TABLE worker (emp_fname TEXT, dept_code TEXT, name_last TEXT, lat REAL, long REAL, qty INTEGER)',
  );
  const lexicon = new Lexicon(catalog, [question('SELECT 1', 'What is the qty?')]);
  const words = catalog.tables[0]?.columns.map(({ name }) => lexicon.column('worker', name).join(' '));
  expect(words).toEqual([
    'employee first name',
    'department code',
    'last name',
    'latitude',
    'longitude',
    'qty',
  ]);
});

test('letters that are no articles stay', () => {
  const { catalog, question } = restFixture('CREATE TABLE test (IGA REAL, GOT REAL, ref_id2 TEXT, LMN TEXT)');
  const [iga] = catalog.tables[0]?.columns ?? [];
  Object.assign(iga ?? {}, { friendly_name: 'Ig A' });
  const asked = question('SELECT 1', 'Who got an ig value as high as that?');
  const lexicon = new Lexicon(catalog, [asked]);
  const texts = catalog.tables[0]?.columns.map(({ name }) => lexicon.columnText('test', name));
  expect(texts).toEqual(['ig A', 'GOT', 'ref ID2', 'LMN']);
});

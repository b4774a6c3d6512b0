import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { draftVocabulary, vocabularyText } from '../../generator/english/draft-vocabulary.ts';
import { readLabel, readSplit } from '../../generator/read/read-split.ts';
import { readComments, readDbtSchema, withNotes } from '../../generator/read/schema-notes.ts';
import { withVocabulary } from '../../generator/read/vocabulary.ts';
import { writeOutput } from '../files.ts';
import { list } from '../options.ts';
import { withProgress } from '../terminal.ts';

interface VocabularyFlags {
  readonly db?: readonly string[];
  readonly out?: string;
  readonly force: boolean;
}

/** `rookery vocabulary <split>`: the words of its databases, for a person to edit. */
export function register(program: Command): void {
  program
    .command('vocabulary')
    .description('write the words that endpoints and questions use for tables and columns, for you to edit')
    .argument('<split>', 'folder of a split, or its questions file')
    .option('--db <db>', 'this database only (may be repeated)', list)
    .option('--out <folder>', "where to write <db>.yaml; the split's folder vocabulary by default")
    .option('--force', 'write files anew, without the edits in them', false)
    .action(async (place: string, { db, out, force }: VocabularyFlags) => {
      const split = await withProgress((update) =>
        readSplit(place, {
          only: db,
          onProgress: (read) => update('read', read.done, read.total, readLabel(read)),
        }),
      );
      const folder = resolve(out ?? join(dirname(split.questions_file), 'vocabulary'));
      const beside = realpathSync(dirname(split.questions_file));
      for (const { db: name, file: database, catalog: read } of split.domains) {
        const folders = [join(beside, name), dirname(database), beside];
        const catalog = [readDbtSchema(folders, beside), readComments(database)].reduce(withNotes, read);
        const file = join(folder, `${name}.yaml`);
        const existing = existsSync(file) && !force ? readFileSync(file, 'utf8') : null;
        const questions = split.questions.filter(({ db_id }) => db_id === name);
        const text = vocabularyText(draftVocabulary(catalog, questions), existing);
        withVocabulary(catalog, file, text);
        if (text !== existing) writeOutput(file, text);
        const how = existing === null ? 'written' : text === existing ? 'complete as it was' : 'completed';
        process.stdout.write(`${file} ${how}\n`);
      }
    });
}

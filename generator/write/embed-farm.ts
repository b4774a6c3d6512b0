import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { UserError } from '../../contracts/errors.ts';
import type { Farm } from '../../contracts/farm.ts';
import { openapiFile, printOpenapi } from '../../contracts/openapi.ts';
import { type Service, vectorTable } from '../../contracts/service.ts';
import { embed } from '../../services/base/embeddings.ts';
import { loadService, readFarm } from '../../services/base/farm.ts';
import { type Collection, domainCollections } from '../../services/domain/query/collections.ts';
import { textsOf } from '../../services/domain/query/compile-query.ts';
import { queryOpenapi, queryToolSpec } from '../../services/domain/query/query-tool.ts';
import { toStatement } from '../../services/domain/tools/conditions.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { copyWritable } from '../oracle/engines.ts';
import { emitListed } from './emit-farm.ts';
import { type FarmFile, type FarmOptions, isFarm, printJson, writeFolder } from './write-folder.ts';

interface EmbedOptions extends FarmOptions<'embed'> {
  readonly vectors: NonNullable<Service['vectors']>;
}

/** Texts in one request, which services limit. */
const TOGETHER = 100;

/**
 * The farm with vectors of the texts that can be searched, by which its `query` tools search. All else is as it was: the
 * gold stays exact, and no call is proven again. Throws UserErrors, MODEL_REFUSED if the model gives no vectors.
 */
export async function embedFarm(folder: string, options: EmbedOptions): Promise<Farm> {
  const { out, vectors, signal } = options;
  const { root, farm: origin } = readFarm(folder);
  const made = await writeFolder(out, { isOurs: isFarm, signal }, async (scratch) => {
    const changed: FarmFile[] = [];
    for (const { db } of origin.domains) {
      const service = { ...loadService(root, origin, db), vectors };
      const database = join(scratch, `${db}.sqlite`);
      copyWritable(join(root, 'databases', `${db}.sqlite`), database);
      await addVectors(database, service, options);
      const document = queryOpenapi(service, queryToolSpec(domainCollections(service)));
      changed.push(
        { path: `databases/${db}.sqlite`, moveFrom: database },
        { path: `services/${db}.json`, content: printJson(service, { compact: true }) },
        { path: `openapi/${openapiFile(db, 'query')}`, content: printOpenapi(document) },
      );
    }
    const paths = new Set(changed.map(({ path }) => path));
    const kept = Object.keys(origin.files)
      .filter((path) => !paths.has(path))
      .map((path): FarmFile => ({ path, content: readFileSync(join(root, path)) }));
    return emitListed([...kept, ...changed], (files) => ({ ...origin, vectors, files }), options.extraFiles);
  });
  return made.farm;
}

async function addVectors(
  file: string,
  service: Service,
  { vectors, signal, onProgress }: EmbedOptions,
): Promise<void> {
  const database = new Database(file);
  try {
    const collections = domainCollections(service).filter(({ searchable }) => searchable);
    const rows = collections.flatMap((collection) =>
      rowsIn(database, collection).map((row) => ({ collection, ...row })),
    );
    for (const { name } of collections) {
      const table = quoteIdentifier(vectorTable(name));
      database.exec(`DROP TABLE IF EXISTS ${table}`);
      database.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, vector BLOB NOT NULL)`);
    }
    for (let at = 0; at < rows.length; at += TOGETHER) {
      onProgress?.({ stage: 'embed', done: at, total: rows.length, label: service.db });
      const some = rows.slice(at, at + TOGETHER);
      const made = await embed(
        vectors,
        some.map(({ text }) => text),
        signal,
      ).catch((cause) => {
        throw new UserError('MODEL_REFUSED', vectors.model, (cause as Error).message, { cause });
      });
      database.transaction(() => {
        for (const [i, { collection, id }] of some.entries()) {
          const into = `INSERT INTO ${quoteIdentifier(vectorTable(collection.name))} VALUES (?, ?)`;
          database.prepare(into).run(id, Buffer.from((made[i] as Float32Array).buffer));
        }
      })();
    }
  } finally {
    database.close();
  }
  chmodSync(file, 0o444);
}

/** The rows of a collection that have any text, with their texts by name. */
function rowsIn(database: Database.Database, collection: Collection) {
  const { sql, parameters } = toStatement(textsOf(collection));
  const names = collection.properties.filter(({ type }) => type === 'text').map(({ name }) => name);
  const rows = database.prepare(sql).raw().all(parameters) as (string | number | null)[][];
  return rows.flatMap(([id, ...texts]) => {
    const lines = texts.flatMap((text, i) => (text === null || text === '' ? [] : [`${names[i]}: ${text}`]));
    return lines.length === 0 ? [] : [{ id, text: lines.join('\n') }];
  });
}

import type { Endpoint, Service } from '../../../contracts/service.ts';
import type { Connection, Driver } from '../../base/sqlite/driver.ts';
import { CompiledEndpoint } from './compiled-endpoint.ts';

/** One domain of a running service: its description, and its database, opened on first use. */
export class ServedDomain {
  readonly service: Service;
  /** Absolute path of the SQLite file. */
  readonly database: string;
  /** Changes whenever an answer could change; part of every ETag. */
  readonly version: string;
  readonly #driver: Driver;
  readonly #endpoints: ReadonlyMap<string, Endpoint>;
  readonly #compiled = new Map<string, CompiledEndpoint>();
  #connection: Connection | undefined;

  constructor(service: Service, database: string, version: string, driver: Driver) {
    this.service = service;
    this.database = database;
    this.version = version;
    this.#driver = driver;
    this.#endpoints = new Map(service.endpoints.map((endpoint) => [endpoint.name, endpoint]));
  }

  /** The main thread's connection, opened on first use. Throws SqliteError. */
  connection(): Connection {
    this.#connection ??= this.#driver.open(this.database);
    return this.#connection;
  }

  /** The endpoint of this name, made ready on first use. */
  endpoint(name: string): CompiledEndpoint | undefined {
    const known = this.#compiled.get(name);
    if (known) return known;
    const endpoint = this.#endpoints.get(name);
    if (!endpoint) return undefined;
    const compiled = new CompiledEndpoint(endpoint);
    this.#compiled.set(name, compiled);
    return compiled;
  }

  endpointNames(): Iterable<string> {
    return this.#endpoints.keys();
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

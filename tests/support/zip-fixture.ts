import { crc32, deflateRawSync } from 'node:zlib';

/** A file of a zip made for a test; what is given besides name and content is written as given, true or not. */
export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** Bytes as they are, as for an archive in an archive. */
  readonly stored?: boolean;
  /** Unix mode, kind included; a regular file unless given. */
  readonly mode?: number;
  /** What the directory says the size is. */
  readonly declaredSize?: number;
  readonly crc?: number;
  readonly encrypted?: boolean;
}

/** The bytes of a zip; written by hand because the libraries refuse to make what must be refused. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const packed = entry.stored ? content : deflateRawSync(content, { level: 9 });
    const name = Buffer.from(entry.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800 | (entry.encrypted ? 1 : 0), 2);
    common.writeUInt16LE(entry.stored ? 0 : 8, 4);
    common.writeUInt32LE(0x21, 8);
    common.writeUInt32LE(entry.crc ?? crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(entry.declaredSize ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([20, 3]); // Unix
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, common, tail, name]));
    bodies.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}

import { constants, crc32, createDeflateRaw } from 'node:zlib';

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
const IN_ZIP64 = 0xffffffff;
const FLAG_SIZES_FOLLOW = 0x0008;
const FLAG_UTF8 = 0x0800;

export interface ZipFileEntry {
  /** A buffer is written as it is, without the mark for UTF-8, as old programs do. */
  name: string | Buffer;
  content: AsyncIterable<Buffer> | Buffer;
  stored?: boolean;
}

interface Written {
  name: Buffer;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  unpacked: number;
  offset: number;
}

/**
 * An archive as a phone writes it: in one pass, so that sizes follow the data, each file deflated unless it says
 * otherwise.
 * @param options.zip64 use the 64-bit form throughout, which archives beyond 4 GiB need
 */
export async function* zipBytes(
  entries: Iterable<ZipFileEntry>,
  options: { zip64?: boolean } = {},
): AsyncGenerator<Buffer> {
  const zip64 = options.zip64 ?? false;
  const written: Written[] = [];
  let offset = 0;
  const counted = (bytes: Buffer) => {
    offset += bytes.length;
    return bytes;
  };
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string);
    const flags = FLAG_SIZES_FOLLOW | (typeof entry.name === 'string' ? FLAG_UTF8 : 0);
    const file: Written = { name, flags, method: entry.stored ? 0 : 8, crc: 0, packed: 0, unpacked: 0, offset };
    yield counted(localHeader(file, zip64));
    for await (const chunk of packed(entry, file)) {
      file.packed += chunk.length;
      yield counted(chunk);
    }
    yield counted(descriptor(file, zip64));
    written.push(file);
  }
  const start = offset;
  for (const file of written) yield counted(centralHeader(file, zip64));
  yield ending(written.length, start, offset - start, zip64);
}

async function* packed(entry: ZipFileEntry, file: Written): AsyncGenerator<Buffer> {
  const pieces = Buffer.isBuffer(entry.content) ? [entry.content] : entry.content;
  const measured = (chunk: Buffer) => {
    file.crc = crc32(chunk, file.crc);
    file.unpacked += chunk.length;
  };
  if (entry.stored) {
    for await (const chunk of pieces) {
      measured(chunk);
      yield chunk;
    }
    return;
  }
  const deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  const feeding = (async () => {
    for await (const chunk of pieces) {
      measured(chunk);
      if (!deflate.write(chunk)) await new Promise((resolve) => deflate.once('drain', resolve));
    }
    deflate.end();
  })();
  yield* deflate as AsyncIterable<Buffer>;
  await feeding;
}

function localHeader(file: Written, zip64: boolean): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL, 0);
  header.writeUInt16LE(zip64 ? 45 : 20, 4);
  header.writeUInt16LE(file.flags, 6);
  header.writeUInt16LE(file.method, 8);
  header.writeUInt16LE(file.name.length, 26);
  return Buffer.concat([header, file.name]);
}

function descriptor(file: Written, zip64: boolean): Buffer {
  const bytes = Buffer.alloc(zip64 ? 24 : 16);
  bytes.writeUInt32LE(DESCRIPTOR, 0);
  bytes.writeUInt32LE(file.crc, 4);
  if (zip64) {
    bytes.writeBigUInt64LE(BigInt(file.packed), 8);
    bytes.writeBigUInt64LE(BigInt(file.unpacked), 16);
  } else {
    bytes.writeUInt32LE(file.packed, 8);
    bytes.writeUInt32LE(file.unpacked, 12);
  }
  return bytes;
}

function centralHeader(file: Written, zip64: boolean): Buffer {
  const extra = Buffer.alloc(zip64 ? 28 : 0);
  if (zip64) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    extra.writeBigUInt64LE(BigInt(file.unpacked), 4);
    extra.writeBigUInt64LE(BigInt(file.packed), 12);
    extra.writeBigUInt64LE(BigInt(file.offset), 20);
  }
  const header = Buffer.alloc(46);
  header.writeUInt32LE(CENTRAL, 0);
  header.writeUInt16LE(zip64 ? 45 : 20, 4);
  header.writeUInt16LE(zip64 ? 45 : 20, 6);
  header.writeUInt16LE(file.flags, 8);
  header.writeUInt16LE(file.method, 10);
  header.writeUInt32LE(file.crc, 16);
  header.writeUInt32LE(zip64 ? IN_ZIP64 : file.packed, 20);
  header.writeUInt32LE(zip64 ? IN_ZIP64 : file.unpacked, 24);
  header.writeUInt16LE(file.name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(zip64 ? IN_ZIP64 : file.offset, 42);
  return Buffer.concat([header, file.name, extra]);
}

function ending(count: number, start: number, size: number, zip64: boolean): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(zip64 ? 0xffff : count, 8);
  end.writeUInt16LE(zip64 ? 0xffff : count, 10);
  end.writeUInt32LE(zip64 ? IN_ZIP64 : size, 12);
  end.writeUInt32LE(zip64 ? IN_ZIP64 : start, 16);
  if (!zip64) return end;
  const record = Buffer.alloc(56);
  record.writeUInt32LE(ZIP64_END, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(ZIP64_LOCATOR, 0);
  locator.writeBigUInt64LE(BigInt(start + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator, end]);
}

import { fitChecksum } from './checksum.js';
import { type FitDamage, FitError } from './fit-error.js';

/** How values of a FIT base type are read. */
interface BaseType {
  /** Bytes of one value. */
  size: number;
  /** Number that marks a missing value; undefined if the marker is not a number. */
  invalid: number | undefined;
  read(view: DataView, at: number, isLittleEndian: boolean): number;
}

const BYTE: BaseType['read'] = (view, at) => view.getUint8(at);
const UINT16: BaseType['read'] = (view, at, little) => view.getUint16(at, little);
const UINT32: BaseType['read'] = (view, at, little) => view.getUint32(at, little);

/** Base types of numbers by the lower five bits of their code. 64-bit integers are not read. */
const BASE_TYPES: Readonly<Record<number, BaseType>> = {
  0: { size: 1, invalid: 0xff, read: BYTE },
  1: { size: 1, invalid: 0x7f, read: (view, at) => view.getInt8(at) },
  2: { size: 1, invalid: 0xff, read: BYTE },
  3: { size: 2, invalid: 0x7fff, read: (view, at, little) => view.getInt16(at, little) },
  4: { size: 2, invalid: 0xffff, read: UINT16 },
  5: { size: 4, invalid: 0x7fffffff, read: (view, at, little) => view.getInt32(at, little) },
  6: { size: 4, invalid: 0xffffffff, read: UINT32 },
  8: { size: 4, invalid: undefined, read: (view, at, little) => view.getFloat32(at, little) },
  9: { size: 8, invalid: undefined, read: (view, at, little) => view.getFloat64(at, little) },
  10: { size: 1, invalid: 0, read: BYTE },
  11: { size: 2, invalid: 0, read: UINT16 },
  12: { size: 4, invalid: 0, read: UINT32 },
  13: { size: 1, invalid: 0xff, read: BYTE },
};

/** Returns the base type of a field; undefined if it is not read as a number. */
function baseTypeOf(code: number): BaseType | undefined {
  return BASE_TYPES[code & 0x1f];
}

/** Lower five bits of the code of a text. */
const TEXT = 7;

/** Field number of a message's time, in seconds since 1989-12-31T00:00:00Z. */
export const TIMESTAMP = 253;

export interface FitMessage {
  /** Global message number, e.g. 20 for a record. */
  number: number;
  /** Raw values of the time and the requested fields, by number. Missing values are omitted. */
  fields: ReadonlyMap<number, number>;
  /** Requested texts by number; undefined if the message contains none. */
  texts: ReadonlyMap<number, string> | undefined;
}

/** Field numbers by message number. */
export type RequestedFields = Readonly<Record<number, readonly number[]>>;

const SHORTEST_HEADER = 12;
const CHECKSUM_BYTES = 2;
/** Limits of one piece of work between two pauses, so that each piece takes a few milliseconds. */
const SKIPPED_A_TURN = 4_096;
const CHECKED_A_TURN = 256 * 1024;
/** `.FIT`, little-endian. */
const SIGNATURE = 0x54_49_46_2e;

const COMPRESSED_TIME = 0x80;
const IS_DEFINITION = 0x40;
const HAS_DEVELOPER_FIELDS = 0x20;
/** Bits of the time in a compressed header. */
const TIME_BITS = 0x1f;

interface Field {
  number: number;
  /** Bytes after the header of the message. */
  at: number;
  baseType: BaseType;
}

interface TextField {
  number: number;
  at: number;
  length: number;
}

/** Meaning of a local message number from here on. */
interface Definition {
  number: number;
  isLittleEndian: boolean;
  /** Requested fields; undefined if the message was not requested. */
  fields: readonly Field[] | undefined;
  texts: readonly TextField[];
  timestamp: Field | undefined;
  /** Bytes of a message without its header, including developer fields. */
  size: number;
}

/**
 * Reads the requested messages of a FIT file, and of all files that follow it, in file order. Reads a damaged file up
 * to its last whole message. Copies no data and allocates nothing for skipped messages, so any input takes linear time.
 * Format: version 2 of the protocol, which includes version 1.
 */
export class FitFile {
  /** First damage of the file. Known only after all messages are read. */
  damage: FitDamage | undefined;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly requestedFields: RequestedFields,
  ) {}

  /** @throws FitError `not_fit` if the bytes do not start like a FIT file */
  *messages(): Generator<FitMessage | undefined> {
    let at = 0;
    do {
      const part = yield* partAt(this.bytes, at);
      if (!part) {
        if (at === 0) throw new FitError('not_fit');
        // A cut may leave the end of a checksum, or the start of the next header.
        this.damage ??= 'truncated';
        return;
      }
      this.damage ??= part.damage;
      const reader = new FileReader(part.view, this.requestedFields);
      yield* reader.messages();
      if (reader.isBroken) this.damage ??= 'malformed';
      at = part.view.byteOffset - this.bytes.byteOffset + part.view.byteLength + CHECKSUM_BYTES;
    } while (at < this.bytes.length && this.damage !== 'truncated');
  }
}

/** Returns the messages of the file that starts here. Undefined if the bytes are not a FIT file. */
function* partAt(
  bytes: Uint8Array,
  at: number,
): Generator<undefined, { view: DataView; damage: FitDamage | undefined } | undefined> {
  const file = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at);
  if (file.byteLength < SHORTEST_HEADER) return undefined;
  const headerSize = file.getUint8(0);
  if (headerSize < SHORTEST_HEADER || headerSize > file.byteLength || file.getUint32(8, true) !== SIGNATURE) {
    return undefined;
  }
  const size = file.getUint32(4, true);
  const end = headerSize + size;
  const viewOf = (length: number) => new DataView(file.buffer, file.byteOffset + headerSize, length);
  // A watch writes the size when it closes the file. A size of 0 means that the file was not closed.
  const isUnfinished = size === 0 && file.byteLength > headerSize + CHECKSUM_BYTES;
  if (isUnfinished || end + CHECKSUM_BYTES > file.byteLength) {
    const available = file.byteLength - headerSize;
    return { view: viewOf(isUnfinished ? available : Math.min(size, available)), damage: 'truncated' };
  }
  let checksum = 0;
  for (let from = 0; from < end; from += CHECKED_A_TURN) {
    checksum = fitChecksum(bytes.subarray(at + from, at + Math.min(end, from + CHECKED_A_TURN)), checksum);
    yield undefined;
  }
  const isWhole = checksum === file.getUint16(end, true);
  return { view: viewOf(size), damage: isWhole ? undefined : 'checksum' };
}

/** A message has no definition, or extends past the end. */
class BrokenMessage extends Error {}

class FileReader {
  /** True if the last message has no definition, or extends past the end. */
  isBroken = false;
  private readonly definitions: (Definition | undefined)[] = [];
  private at = 0;
  private lastTimestamp: number | undefined;

  constructor(
    private readonly view: DataView,
    private readonly requestedFields: RequestedFields,
  ) {}

  *messages(): Generator<FitMessage | undefined> {
    let skipped = 0;
    while (this.at < this.view.byteLength && !this.isBroken) {
      const message = this.next();
      if (message || ++skipped % SKIPPED_A_TURN === 0) yield message;
    }
  }

  /** Reads the next message. Undefined for a definition, an unrequested message and a damaged message. */
  private next(): FitMessage | undefined {
    try {
      const header = this.byte();
      if ((header & COMPRESSED_TIME) !== 0) return this.message((header >> 5) & 0x3, header & TIME_BITS);
      if ((header & IS_DEFINITION) === 0) return this.message(header & 0xf, undefined);
      this.define(header & 0xf, (header & HAS_DEVELOPER_FIELDS) !== 0);
    } catch (error) {
      if (!(error instanceof BrokenMessage)) throw error;
      this.isBroken = true;
    }
    return undefined;
  }

  private define(local: number, hasDeveloperFields: boolean): void {
    const start = this.skip(5);
    const isLittleEndian = this.view.getUint8(start + 1) === 0;
    const number = this.view.getUint16(start + 2, isLittleEndian);
    const fieldName = this.requestedFields[number];
    const fields: Field[] = [];
    const texts: TextField[] = [];
    let timestamp: Field | undefined;
    let size = 0;
    for (let left = this.view.getUint8(start + 4); left > 0; left--) {
      const field = this.skip(3);
      const length = this.view.getUint8(field + 1);
      const code = this.view.getUint8(field + 2);
      const baseType = baseTypeOf(code);
      if (baseType && length >= baseType.size) {
        const found = { number: this.view.getUint8(field), at: size, baseType };
        if (found.number === TIMESTAMP) timestamp = found;
        else if (fieldName?.includes(found.number)) fields.push(found);
      } else if ((code & 0x1f) === TEXT && fieldName?.includes(this.view.getUint8(field))) {
        texts.push({ number: this.view.getUint8(field), at: size, length });
      }
      size += length;
    }
    for (let left = hasDeveloperFields ? this.byte() : 0; left > 0; left--) {
      size += this.view.getUint8(this.skip(3) + 1);
    }
    this.definitions[local] = { number, isLittleEndian, fields: fieldName && fields, texts, timestamp, size };
  }

  /** @param time the last bits of the time, if the header contains them */
  private message(local: number, time: number | undefined): FitMessage | undefined {
    const definition = this.definitions[local];
    if (!definition) throw new BrokenMessage();
    const start = this.skip(definition.size);
    const seconds = this.valueOf(definition, definition.timestamp, start) ?? this.compressed(time);
    if (seconds !== undefined) this.lastTimestamp = seconds;
    if (!definition.fields) return undefined;
    const values = new Map<number, number>();
    if (seconds !== undefined) values.set(TIMESTAMP, seconds);
    for (const field of definition.fields) {
      const value = this.valueOf(definition, field, start);
      if (value !== undefined) values.set(field.number, value);
    }
    return { number: definition.number, fields: values, texts: this.textsOf(definition, start) };
  }

  private textsOf({ texts }: Definition, start: number): Map<number, string> | undefined {
    if (texts.length === 0) return undefined;
    return new Map(
      texts.map(({ number, at, length }): [number, string] => {
        const bytes = new Uint8Array(this.view.buffer, this.view.byteOffset + start + at, length);
        const end = bytes.indexOf(0);
        return [number, new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end)).trim()];
      }),
    );
  }

  /** Returns the next time that ends with these bits. */
  private compressed(time: number | undefined): number | undefined {
    if (time === undefined || this.lastTimestamp === undefined) return undefined;
    return this.lastTimestamp + ((time - (this.lastTimestamp & TIME_BITS)) & TIME_BITS);
  }

  private valueOf({ isLittleEndian }: Definition, field: Field | undefined, start: number): number | undefined {
    if (!field) return undefined;
    const value = field.baseType.read(this.view, start + field.at, isLittleEndian);
    return value === field.baseType.invalid || !Number.isFinite(value) ? undefined : value;
  }

  private byte(): number {
    return this.view.getUint8(this.skip(1));
  }

  /** Skips this many bytes. @returns the position before them */
  private skip(bytes: number): number {
    const start = this.at;
    this.at += bytes;
    if (this.at > this.view.byteLength) throw new BrokenMessage();
    return start;
  }
}

import { type BaseType, baseTypeOf } from './base-types.js';
import { fitChecksum } from './checksum.js';
import { FitError } from './fit-error.js';

/** The field of every message that has a time, in seconds since 1989-12-31T00:00:00Z. */
export const TIMESTAMP = 253;

/** One message of a file. */
export interface FitMessage {
  /** Its global number, e.g. 20 for a record. */
  number: number;
  /** Raw values of its time and of the fields that were asked for, by number; what says that there is no value is left out. */
  fields: ReadonlyMap<number, number>;
}

/** Numbers of fields by the number of the message. */
export type WantedFields = Readonly<Record<number, readonly number[]>>;

const SHORTEST_HEADER = 12;
const CHECKSUM_BYTES = 2;
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

/** What a local number of messages means from here on. */
interface Definition {
  number: number;
  isLittleEndian: boolean;
  /** Of those that were asked for; undefined where the message was not. */
  fields: readonly Field[] | undefined;
  timestamp: Field | undefined;
  /** Bytes of a message without its header, fields of developers included. */
  size: number;
}

/**
 * The messages of a FIT file that were asked for, in the order of the file: of several files that follow each other, those of
 * all. Nothing is copied, and what was not asked for takes no memory, so that bytes of any origin cost a time that is linear in
 * their number. Format: version 2 of the protocol, which includes version 1.
 * @throws FitError, before the first message of a file that is cut off or whose checksum is another one
 */
export function* fitMessages(bytes: Uint8Array, wanted: WantedFields): Generator<FitMessage> {
  let at = 0;
  do {
    const view = fileAt(bytes, at);
    yield* new FileReader(view, wanted).messages();
    at = view.byteOffset - bytes.byteOffset + view.byteLength + CHECKSUM_BYTES;
  } while (at < bytes.length);
}

/** The messages of the file that begins there, once its checksum is verified. */
function fileAt(bytes: Uint8Array, at: number): DataView {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at);
  if (view.byteLength < SHORTEST_HEADER) throw new FitError(at === 0 ? 'not_fit' : 'truncated');
  const headerSize = view.getUint8(0);
  if (headerSize < SHORTEST_HEADER || view.getUint32(8, true) !== SIGNATURE) throw new FitError('not_fit');
  const size = view.getUint32(4, true);
  const end = headerSize + size;
  if (end + CHECKSUM_BYTES > view.byteLength) throw new FitError('truncated');
  if (fitChecksum(bytes.subarray(at, at + end)) !== view.getUint16(end, true)) throw new FitError('checksum');
  return new DataView(view.buffer, view.byteOffset + headerSize, size);
}

class FileReader {
  private readonly definitions: (Definition | undefined)[] = [];
  private at = 0;
  private lastTimestamp: number | undefined;

  constructor(
    private readonly view: DataView,
    private readonly wanted: WantedFields,
  ) {}

  *messages(): Generator<FitMessage> {
    while (this.at < this.view.byteLength) {
      const header = this.byte();
      if ((header & COMPRESSED_TIME) !== 0) {
        const message = this.message((header >> 5) & 0x3, header & TIME_BITS);
        if (message) yield message;
      } else if ((header & IS_DEFINITION) !== 0) {
        this.define(header & 0xf, (header & HAS_DEVELOPER_FIELDS) !== 0);
      } else {
        const message = this.message(header & 0xf, undefined);
        if (message) yield message;
      }
    }
  }

  private define(local: number, hasDeveloperFields: boolean): void {
    const start = this.skip(5);
    const isLittleEndian = this.view.getUint8(start + 1) === 0;
    const number = this.view.getUint16(start + 2, isLittleEndian);
    const wanted = this.wanted[number];
    const fields: Field[] = [];
    let timestamp: Field | undefined;
    let size = 0;
    for (let left = this.view.getUint8(start + 4); left > 0; left--) {
      const field = this.skip(3);
      const length = this.view.getUint8(field + 1);
      const baseType = baseTypeOf(this.view.getUint8(field + 2));
      if (baseType && length >= baseType.size) {
        const found = { number: this.view.getUint8(field), at: size, baseType };
        if (found.number === TIMESTAMP) timestamp = found;
        else if (wanted?.includes(found.number)) fields.push(found);
      }
      size += length;
    }
    for (let left = hasDeveloperFields ? this.byte() : 0; left > 0; left--) {
      size += this.view.getUint8(this.skip(3) + 1);
    }
    this.definitions[local] = { number, isLittleEndian, fields: wanted && fields, timestamp, size };
  }

  /** @param time the last bits of the time, where the header has them */
  private message(local: number, time: number | undefined): FitMessage | undefined {
    const definition = this.definitions[local];
    if (!definition) throw new FitError('malformed');
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
    return { number: definition.number, fields: values };
  }

  /** The next time with these last bits. */
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

  /** Goes on behind so many bytes. @returns where they begin */
  private skip(bytes: number): number {
    const start = this.at;
    this.at += bytes;
    if (this.at > this.view.byteLength) throw new FitError('malformed');
    return start;
  }
}

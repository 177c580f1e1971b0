/** Value types with their code in a file, their size in bytes and their missing-value marker. */
const TYPES = {
  enum: { code: 0x00, size: 1, none: 0xff },
  uint8: { code: 0x02, size: 1, none: 0xff },
  uint16: { code: 0x84, size: 2, none: 0xffff },
  sint32: { code: 0x85, size: 4, none: 0x7fffffff },
  uint32: { code: 0x86, size: 4, none: 0xffffffff },
} as const;

/** A field of a message: its number in the format's profile, and its value type. */
type FitField = readonly [number: number, type: keyof typeof TYPES];

/** A field that an application on the watch defined; its values are bytes. */
interface DeveloperField {
  number: number;
  size: number;
}

/** A message type as one file defines it. */
export interface FitMessageKind {
  /** Local number in this file, 0 to 15. */
  local: number;
  /** Global number in the format. */
  global: number;
  fields: readonly FitField[];
  developerFields?: readonly DeveloperField[];
}

const HEADER_BYTES = 14;
const PROTOCOL_2_0 = 0x20;
const PROFILE = 21_195;
const DEFINITION = 0x40;
const WITH_DEVELOPER_FIELDS = 0x20;

/** Writes one FIT file, little-endian. */
export class FitWriter {
  private readonly bytes: number[] = [];

  /** Defines a message type. Call before its first message. */
  define({ local, global, fields, developerFields = [] }: FitMessageKind): void {
    const hasMore = developerFields.length > 0;
    this.bytes.push(DEFINITION | (hasMore ? WITH_DEVELOPER_FIELDS : 0) | local, 0, 0);
    this.push(global, 2);
    this.bytes.push(fields.length);
    for (const [number, type] of fields) this.bytes.push(number, TYPES[type].size, TYPES[type].code);
    if (!hasMore) return;
    this.bytes.push(developerFields.length);
    for (const { number, size } of developerFields) this.bytes.push(number, size, 0);
  }

  /** @param values raw values in field order, undefined for missing values */
  write({ local, fields, developerFields = [] }: FitMessageKind, values: readonly (number | undefined)[]): void {
    this.bytes.push(local);
    for (const [at, [, type]] of fields.entries()) {
      const { size, none } = TYPES[type];
      this.push(values[at] ?? none, size);
    }
    for (const { size } of developerFields) this.bytes.push(...new Array<number>(size).fill(0x2a));
  }

  /** Bytes of the file so far, including its header. */
  get size(): number {
    return HEADER_BYTES + this.bytes.length;
  }

  /** Returns the file with its header and checksum. */
  file(): Buffer {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt8(HEADER_BYTES, 0);
    header.writeUInt8(PROTOCOL_2_0, 1);
    header.writeUInt16LE(PROFILE, 2);
    header.writeUInt32LE(this.bytes.length, 4);
    header.write('.FIT', 8, 'latin1');
    header.writeUInt16LE(checksum(header.subarray(0, 12)), 12);
    const content = Buffer.concat([header, Buffer.from(this.bytes)]);
    const end = Buffer.alloc(2);
    end.writeUInt16LE(checksum(content));
    return Buffer.concat([content, end]);
  }

  private push(value: number, size: number): void {
    for (let shift = 0; shift < size; shift++) this.bytes.push((value >> (8 * shift)) & 0xff);
  }
}

/** Computes a CRC-16 with the reflected polynomial 0xa001, bit by bit. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 1 ? (sum >> 1) ^ 0xa001 : sum >> 1;
  }
  return sum;
}

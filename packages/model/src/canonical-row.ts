/** Members of a snapshot row that its digest covers. `docs/feed.md` defines the bytes for other languages. */
export interface DigestedRow {
  /** Series type, workout type or category of a score; null for menstrual cycles. */
  type: string | null;
  /** Stable id of the data source. */
  source: string;
  /** ISO 8601 instants in UTC. */
  start: string;
  end: string | null;
  value: number | null;
  /** Minutes by which local time was ahead of UTC. */
  offset: number | null;
  /** JSON text with the other values of the row, exactly as the service sent it. */
  details: string | null;
}

const IS_NULL = 0;
const IS_PRESENT = 1;
const encoder = new TextEncoder();

/**
 * Returns a row in canonical form: its seven fields in order. Each field is a byte 0 for null, or a byte 1 and the
 * value. Equal rows have equal bytes.
 */
export function canonicalRow({ type, source, start, end, value, offset, details }: DigestedRow): Uint8Array {
  const texts = [type, source, details].map((text) => (text === null ? undefined : encoder.encode(text)));
  const [typeBytes, sourceBytes, detailBytes] = texts;
  const length = texts.reduce((sum, bytes) => sum + (bytes ? 5 + bytes.length : 1), 0) + 9 * 4;
  const row = new DataView(new ArrayBuffer(length));
  let at = 0;
  const put = (isPresent: boolean) => row.setUint8(at++, isPresent ? IS_PRESENT : IS_NULL);
  const putText = (bytes: Uint8Array | undefined) => {
    put(bytes !== undefined);
    if (!bytes) return;
    row.setUint32(at, bytes.length);
    new Uint8Array(row.buffer).set(bytes, at + 4);
    at += 4 + bytes.length;
  };
  const putInteger = (number: number | null) => {
    put(number !== null);
    if (number === null) return;
    row.setBigInt64(at, BigInt(number));
    at += 8;
  };
  putText(typeBytes);
  putText(sourceBytes);
  putInteger(Date.parse(start));
  putInteger(end === null ? null : Date.parse(end));
  put(value !== null);
  if (value !== null) {
    // Adding 0 turns -0 into 0.
    row.setFloat64(at, value + 0);
    at += 8;
  }
  putInteger(offset);
  putText(detailBytes);
  return new Uint8Array(row.buffer, 0, at);
}

/**
 * Returns the bytes whose HMAC-SHA-256 is a digest: the rows in order of their bytes. Four bytes with the row's length
 * precede each row.
 * @param rows rows in canonical form
 */
export function digestMessage(rows: readonly Uint8Array[]): Uint8Array {
  const sorted = [...rows].sort(compareBytes);
  const message = new Uint8Array(sorted.reduce((sum, row) => sum + 4 + row.length, 0));
  const view = new DataView(message.buffer);
  let at = 0;
  for (const row of sorted) {
    view.setUint32(at, row.length);
    message.set(row, at + 4);
    at += 4 + row.length;
  }
  return message;
}

/** Compares byte by byte, like `memcmp`. If one row is a prefix of the other row, the shorter row is first. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length);
  for (let at = 0; at < common; at++) {
    const difference = (a[at] as number) - (b[at] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

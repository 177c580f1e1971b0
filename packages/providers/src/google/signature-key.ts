import { createPublicKey, type KeyObject } from 'node:crypto';

/** DER `EcdsaParams` of the vendor's only key type: SHA-256, NIST P-256. */
const PARAMETERS = Buffer.from([0x08, 0x03, 0x10, 0x02, 0x18, 0x02]);
const COORDINATE_BYTES = 32;

/**
 * Reads the public key in a serialized `google.crypto.tink.EcdsaPublicKey` (fields: 1 version, 2 parameters, 3 x, 4 y).
 * Returns undefined for other key types.
 */
export function publicKeyOf(message: Buffer): KeyObject | undefined {
  const fields = lengthDelimitedFields(message);
  const x = coordinate(fields?.get(3));
  const y = coordinate(fields?.get(4));
  if (x === undefined || y === undefined || !fields?.get(2)?.equals(PARAMETERS)) return undefined;
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** Encodes a big-endian integer, with or without leading zeros, for a JSON Web Key. */
function coordinate(field: Buffer | undefined): string | undefined {
  if (field === undefined) return undefined;
  const first = field.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.alloc(0) : field.subarray(first);
  if (digits.length > COORDINATE_BYTES) return undefined;
  return Buffer.concat([Buffer.alloc(COORDINATE_BYTES - digits.length), digits]).toString('base64url');
}

/** Returns the byte fields of a protobuf message by number; undefined if it is malformed. */
function lengthDelimitedFields(message: Buffer): Map<number, Buffer> | undefined {
  const fields = new Map<number, Buffer>();
  let at = 0;
  while (at < message.length) {
    const tag = varint(message, at);
    if (tag === undefined) return undefined;
    const next = varint(message, tag.end);
    if (next === undefined) return undefined;
    const wireType = tag.value & 7;
    if (wireType === 0) {
      at = next.end;
    } else if (wireType === 2 && next.end + next.value <= message.length) {
      at = next.end + next.value;
      fields.set(tag.value >>> 3, message.subarray(next.end, at));
    } else {
      return undefined;
    }
  }
  return fields;
}

function varint(message: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = start; at < Math.min(start + 4, message.length); at += 1) {
    const byte = message[at]!;
    value |= (byte & 0x7f) << (7 * (at - start));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}

const TABLE = Uint16Array.of(
  0x0000,
  0xcc01,
  0xd801,
  0x1400,
  0xf001,
  0x3c00,
  0x2800,
  0xe401,
  0xa001,
  0x6c00,
  0x7800,
  0xb401,
  0x5000,
  0x9c01,
  0x8801,
  0x4400,
);

/**
 * CRC-16 of a FIT file (polynomial 0x8005, reflected), four bits at a time.
 * @param sum checksum of the bytes before these
 */
export function fitChecksum(bytes: Uint8Array, sum = 0): number {
  for (const byte of bytes) {
    sum = (sum >> 4) ^ nibble(sum ^ byte);
    sum = (sum >> 4) ^ nibble(sum ^ (byte >> 4));
  }
  return sum;
}

function nibble(bits: number): number {
  return TABLE[bits & 0xf] as number;
}

import { VendorError } from './vendor-error.js';

/** Counts what is unpacked, while it arrives, so that no answer takes more memory than allowed. */
export async function readLimitedBody(response: Response, maxBytes: number): Promise<Buffer> {
  const reader = response.body?.getReader();
  if (reader === undefined) return Buffer.alloc(0);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new VendorError({ code: 'invalid_answer', status: response.status, reason: 'too_large' });
    }
    parts.push(part.value);
  }
  return Buffer.concat(parts);
}

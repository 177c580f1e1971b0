import { isAscii } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { type PushReading, readPush } from '../device-push/index.js';
import { PROVIDERS, providerById } from '../registry.js';
import type { BodyFault, PushRequest } from './push-messages.js';

const others = PROVIDERS.flatMap(({ push }) => push ?? []);

/** Unpacks, parses and reads one pushed body. */
export function readPushedBody(request: Omit<PushRequest, 'id'>): PushReading | BodyFault {
  const adapter = providerById(request.provider)?.push;
  if (adapter === undefined) throw new TypeError('the provider cannot be pushed');
  let bytes: Uint8Array = request.body;
  if (request.encoding === 'gzip') {
    try {
      bytes = gunzipSync(bytes, { maxOutputLength: request.maxBytes });
    } catch {
      return { fault: { field: '', code: 'damaged' } };
    }
  }
  let payload: unknown;
  try {
    payload = JSON.parse(textOf(bytes));
  } catch {
    return { fault: { field: '', code: 'json_invalid' } };
  }
  return readPush(payload, adapter, others, request.receivedAtMs);
}

/** Most bodies are plain ASCII, which needs no decoding. */
function textOf(bytes: Uint8Array): string {
  if (!isAscii(bytes)) return new TextDecoder().decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

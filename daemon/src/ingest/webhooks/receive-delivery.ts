import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ProviderId } from '@healthd/model';
import type {
  BodySignature,
  DeliveryAdapter,
  DeliveryHead,
  DeliveryProof,
  ProviderConfiguration,
} from '@healthd/providers';
import type { Request } from 'express';
import { addressKey } from '../../platform/address-key.js';
import { Failure } from '../../platform/failures.js';
import { writeWhole } from '../../platform/spool/index.js';
import { acceptDelivery, waitingBytes } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import { DeliveryFault, DeliverySplitter } from './delivery-splitter.js';

/** Outcome of receiving a delivery. */
export type ReceivedDelivery =
  /** Stored safely on disk and in the database. */
  | { kind: 'stored'; id: string }
  /** Complete but permanently unreadable, so a redelivery does not help. */
  | { kind: 'unreadable'; code: string }
  /** The signature is invalid. */
  | { kind: 'refused' };

/**
 * Number of bytes per write. Without buffering, a body of a hundred megabytes would need a hundred thousand writes.
 */
const WRITTEN_AT_ONCE = 256 * 1024;
/**
 * Maximum size of a body that is split on the main thread. Splitting takes a few milliseconds. Larger bodies are split
 * in a thread.
 */
const SPLIT_HERE_BYTES = 64 * 1024;
/**
 * Maximum ratio of unpacked to packed bytes. A legitimate body unpacks to about 15 times its size. A small body may be
 * repetitive.
 */
const MAX_UNPACKED_RATIO = 100;
const RATIO_FROM_BYTES = 1024 * 1024;
/** Share of the size limit that one sender's waiting deliveries may use, so that other senders still have capacity. */
const SENDER_SHARE = 1 / 2;

/**
 * Checks the delivery's headers for the vendor's proof before its body is read, and counts deliveries without this
 * proof.
 */
export function proofOf(
  { metrics }: Pick<DeliveryServices, 'metrics'>,
  provider: ProviderId,
  { adapter, configuration }: { adapter: DeliveryAdapter; configuration: ProviderConfiguration },
  request: Pick<Request, 'headers' | 'originalUrl'>,
): DeliveryProof {
  const proof = adapter.authenticate(headOf(request), configuration);
  if (proof !== 'proven') metrics.notified(provider, proof === 'refused' ? 'refused' : 'unproven');
  return proof;
}

function headOf({ headers, originalUrl }: Pick<Request, 'headers' | 'originalUrl'>): DeliveryHead {
  return { headers, query: new URL(originalUrl, 'http://localhost').searchParams };
}

/**
 * Receives a delivery that contains data. Streams its bytes to the spool and returns once the bytes and the row are
 * safely stored, so that the vendor may be acknowledged. Rejects a truncated body, so that the vendor resends it.
 * Rejects a body with a wrong signature without storing it.
 * @throws Failure `bad_request` (truncated, damaged), `payload_too_large`, `unsupported_media_type`, `storage_full`,
 * `request_timeout`, `unavailable` (too many deliveries wait or are being received)
 */
export async function receiveDelivered(
  services: DeliveryServices,
  provider: ProviderId,
  { adapter, configuration }: { adapter: DeliveryAdapter; configuration: ProviderConfiguration },
  request: Request,
  gaveUp: Promise<never>,
): Promise<ReceivedDelivery> {
  const { pool, spool, splitting, places, maxWaitingBytes, metrics, now } = services;
  if (Number(request.headers['content-length'] ?? 0) > adapter.maxBytes) throw tooLarge(adapter.maxBytes);
  const place = places.take();
  const id = randomUUID();
  const spoolName = spool.nameOf(id);
  try {
    const sender = addressKey(request.ip ?? '');
    const waiting = await waitingBytes(pool, provider, sender);
    if (waiting.all > maxWaitingBytes || waiting.ofSender > maxWaitingBytes * SENDER_SHARE) throw inboxFull();
    // The rest of a rejected request is drained before the response, so its connection must stay open.
    let sent: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    const signature = adapter.signature?.(headOf(request), configuration);
    if (signature) {
      const proven = await Promise.race([provenBytes(sent, signature, adapter.maxBytes), gaveUp, place.tooSlow]);
      if (!proven) {
        metrics.notified(provider, 'badly_signed');
        return { kind: 'refused' };
      }
      sent = Readable.from(proven);
    }
    const handle = await spool.create(spoolName);
    const writing = write(unpacked(request, sent), handle, adapter);
    const { byteSize, sha256, fault } = await Promise.race([writing, gaveUp, place.tooSlow]).finally(() =>
      handle.close(),
    );
    const code = fault === 'unknown' ? await splitting.check(spool.pathOf(spoolName), adapter.maxItemBytes) : fault;
    if (code === 'truncated') throw new Failure('bad_request', 'The body is truncated.');
    if (code !== undefined) {
      await spool.remove(spoolName);
      return { kind: 'unreadable', code };
    }
    await spool.sync();
    await spool.remember(spoolName, sha256);
    await acceptDelivery(pool, { id, provider, spoolName, byteSize, sha256, sender, at: now() });
    return { kind: 'stored', id };
  } catch (error) {
    await spool.remove(spoolName);
    throw asFailure(error);
  } finally {
    place.release();
  }
}

/** Buffers a signed body until its signature is checked, so that a forged body is neither unpacked nor stored. */
async function provenBytes(
  chunks: AsyncIterable<Buffer>,
  signature: BodySignature,
  maxBytes: number,
): Promise<Buffer[] | undefined> {
  const bytes: Buffer[] = [];
  let byteSize = 0;
  for await (const chunk of chunks) {
    byteSize += chunk.length;
    if (byteSize > maxBytes) throw tooLarge(maxBytes);
    signature.update(chunk);
    bytes.push(chunk);
  }
  return signature.isGood() ? bytes : undefined;
}

function unpacked(request: Request, chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return chunks;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new Failure('unsupported_media_type', 'The body must be uncompressed or compressed with gzip.');
  }
  return withinRatio(chunks);
}

/** Unpacks gzip. @throws Failure `payload_too_large` if the body unpacks to far more than real data does */
async function* withinRatio(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let packedBytes = 0;
  let byteSize = 0;
  const counted = async function* () {
    for await (const chunk of chunks) {
      packedBytes += chunk.length;
      yield chunk;
    }
  };
  const packed = Readable.from(counted());
  const unpacking = createGunzip({ chunkSize: SPLIT_HERE_BYTES });
  packed.once('error', (error) => unpacking.destroy(error));
  for await (const chunk of packed.pipe(unpacking) as AsyncIterable<Buffer>) {
    byteSize += chunk.length;
    if (byteSize > RATIO_FROM_BYTES && byteSize > packedBytes * MAX_UNPACKED_RATIO) {
      throw new Failure(
        'payload_too_large',
        `The body is more than ${MAX_UNPACKED_RATIO} times larger when uncompressed.`,
      );
    }
    yield chunk;
  }
}

/** A written body. `fault` is `unknown` if the body is too large to be split on this thread. */
interface WrittenBody {
  byteSize: number;
  sha256: Buffer;
  fault: DeliveryFault['code'] | 'unknown' | undefined;
}

async function write(
  chunks: AsyncIterable<Buffer>,
  handle: FileHandle,
  { maxBytes, maxItemBytes, itemsOf }: DeliveryAdapter,
): Promise<WrittenBody> {
  const hash = createHash('sha256');
  // Does not split a message, because it is parsed when the delivery is read.
  const splitter = itemsOf ? undefined : new DeliverySplitter(maxItemBytes);
  let fault: WrittenBody['fault'];
  let byteSize = 0;
  let pieces: Buffer[] = [];
  let held = 0;
  const flush = async () => {
    for (const piece of pieces) await writeWhole(handle, piece);
    pieces = [];
    held = 0;
  };
  for await (const chunk of chunks) {
    byteSize += chunk.length;
    if (byteSize > maxBytes) throw tooLarge(maxBytes);
    if (splitter && fault === undefined)
      fault = byteSize > SPLIT_HERE_BYTES ? 'unknown' : faultOf(() => splitter.push(chunk));
    // Drains the rest of an unreadable body.
    if (fault !== undefined && fault !== 'unknown') continue;
    hash.update(chunk);
    pieces.push(chunk);
    held += chunk.length;
    if (held >= WRITTEN_AT_ONCE) await flush();
  }
  fault ??= faultOf(() => splitter?.end());
  await flush();
  await handle.sync();
  return { byteSize, sha256: hash.digest(), fault };
}

function faultOf(work: () => void): DeliveryFault['code'] | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof DeliveryFault) return error.code;
    throw error;
  }
}

function asFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Failure('storage_full', 'The server has no capacity for the delivery. Send it again later.', {
      cause: error,
    });
  }
  if (code?.startsWith('Z_')) return new Failure('bad_request', 'The body is not valid gzip.');
  if (code === 'ECONNRESET') return new Failure('bad_request', 'The body is truncated.', { cause: error });
  return error;
}

function inboxFull(): Failure {
  return new Failure('unavailable', 'Too many deliveries are waiting to be read. Send this one again later.');
}

function tooLarge(bytes: number): Failure {
  return new Failure('payload_too_large', `The body is larger than ${bytes} bytes uncompressed.`);
}

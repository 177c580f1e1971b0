import type { Request, Response } from 'express';
import { drainAndClose } from '../../platform/drain-and-close.js';
import { Failure } from '../../platform/failures.js';
import type { Spool } from '../../platform/spool/index.js';
import { type ReceivedFile, receivePart } from './receive-part.js';
import type { UploadRules } from './store-upload.js';
import { partMissing, tooLarge } from './upload-errors.js';

/** Size of boundaries, part headers and small fields around the file. */
const ENVELOPE_BYTES = 1024 * 1024;

/**
 * Receives the file of a multipart request into the spool. Deletes the file if that fails or the client disconnects.
 * @param gaveUp rejects if the client is too slow; its rejection is thrown
 * @throws Failure
 */
export async function receiveUpload(
  request: Request,
  response: Response,
  spool: Spool,
  rules: UploadRules,
  gaveUp: Promise<never>,
): Promise<ReceivedFile> {
  try {
    checkHeaders(request, rules.maxBytes);
    return await receivePart(request, response, spool, rules, gaveUp);
  } catch (error) {
    drainAndClose(request, response);
    throw error;
  }
}

function checkHeaders(request: Request, maxBytes: number): void {
  const type = request.headers['content-type'];
  if (type === undefined) throw partMissing();
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new Failure('unsupported_media_type', 'Send the file as multipart/form-data, in the part "file".');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + ENVELOPE_BYTES) throw tooLarge(maxBytes);
}

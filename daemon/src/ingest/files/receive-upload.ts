import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Problem } from '@healthd/schemas';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { drainAndClose } from '../../platform/drain-and-close.js';
import { Failure, unprocessable } from '../../platform/failures.js';
import type { Spool } from '../../platform/spool/index.js';
import { type StoredUpload, storeUpload, tooLarge, type UploadRules } from './store-upload.js';

/** A file that is in the spool for good. */
export interface ReceivedFile extends StoredUpload {
  id: string;
  /** The client's name for it without folders; for people only. */
  filename: string;
}

const PART = 'file';
/** Boundaries, part headers and small fields around the file. */
const ENVELOPE_BYTES = 1024 * 1024;

/**
 * Receives the one file of a multipart request into the spool. When it fails, or the client leaves, nothing of the file
 * stays.
 * @param gaveUp rejects when the client is not to be waited for any longer; what it rejects with is thrown
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
    return await receive(request, response, spool, rules, gaveUp);
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

async function receive(
  request: Request,
  response: Response,
  spool: Spool,
  rules: UploadRules,
  gaveUp: Promise<never>,
): Promise<ReceivedFile> {
  const id = randomUUID();
  let incoming: { stream: Readable; filename: string; stored: Promise<StoredUpload> } | undefined;
  try {
    // multer reports a fault only after the whole body has been read; the first fault of any part ends this immediately.
    await new Promise<void>((resolve, reject) => {
      const storage: StorageEngine = {
        _handleFile(_request, file, done) {
          const stored = storeUpload(file.stream, spool, spool.nameOf(id), rules);
          incoming = { stream: file.stream, filename: bareName(file.originalname), stored };
          stored.then(
            () => done(null, {}),
            (error: unknown) => {
              reject(asFailure(error));
              done(error);
            },
          );
        },
        // What must go is removed below, after the first fault of any kind.
        _removeFile: (_request, _file, done) => done(null),
      };
      const upload = multer({
        storage,
        defParamCharset: 'utf8',
        limits: { fields: 20, fieldSize: 64 * 1024, headerPairs: 50 },
        fileFilter: (_request, file, accept) => {
          const fault = partFault(file.fieldname, incoming !== undefined);
          if (!fault) return accept(null, true);
          reject(fault);
          accept(fault);
        },
      }).any();
      gaveUp.catch(reject);
      upload(request, response, (error: unknown) => (error ? reject(asFailure(error)) : resolve()));
    });
    if (!incoming) throw partMissing();
    return { id, filename: incoming.filename, ...(await incoming.stored) };
  } catch (error) {
    incoming?.stream.destroy();
    const fault = await incoming?.stored.then(
      ({ spoolName }) => spool.remove(spoolName),
      (cause: unknown) => cause,
    );
    // A file that is refused breaks the body off: then multer's fault is only the echo of the file's own.
    throw fault instanceof Failure ? fault : error;
  }
}

function partFault(name: string, second: boolean): Failure | undefined {
  if (name !== PART) return partMissing(name.slice(0, 100));
  return second ? unprocessable(['body', PART], 'Only one file can be sent at a time.') : undefined;
}

function partMissing(unexpected?: string): Failure {
  const problems: Problem[] = [{ loc: ['body', PART], msg: 'Field required', type: 'missing' }];
  if (unexpected !== undefined) {
    const msg = `Unexpected part "${unexpected}": the file must be in the part "${PART}".`;
    problems.push({ loc: ['body', unexpected], msg, type: 'value_error' });
  }
  return new Failure('unprocessable', 'The request is not valid.', { problems });
}

function asFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  if (error instanceof MulterError)
    return unprocessable(['body', ...(error.field ? [error.field] : [])], error.message);
  // A code of the file system is a fault of the server's; all the rest is a body that ends early or is malformed.
  const code = (error as NodeJS.ErrnoException).syscall;
  if (code !== undefined && code !== 'read') return error;
  return new Failure('bad_request', 'The upload was cut off or is not valid multipart/form-data.', { cause: error });
}

/** The client's file name without folders and control characters. */
function bareName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the purpose
  const clean = last.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '').trim();
  return clean.slice(0, 200) || 'export';
}

import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import type { StorageEngine } from 'multer';
import multer from 'multer';
import { Failure } from '../../platform/failures.js';
import type { Spool } from '../../platform/spool/index.js';
import { type StoredUpload, storeUpload, type UploadRules } from './store-upload.js';
import { partFault, partMissing, uploadFailure } from './upload-errors.js';

/** A file that is durably stored in the spool. */
export interface ReceivedFile extends StoredUpload {
  id: string;
  /** The client's file name without folders; for display only. */
  filename: string;
}

/** Receives the part that contains the file. Deletes the file if that fails. @throws Failure */
export async function receivePart(
  request: Request,
  response: Response,
  spool: Spool,
  rules: UploadRules,
  gaveUp: Promise<never>,
): Promise<ReceivedFile> {
  const id = randomUUID();
  let incoming: { stream: Readable; filename: string; stored: Promise<StoredUpload> } | undefined;
  try {
    // multer reports an error only after it has read the whole body. Here the first error of any part ends the upload
    // immediately.
    await new Promise<void>((resolve, reject) => {
      const storage: StorageEngine = {
        _handleFile(_request, file, done) {
          const stored = storeUpload(file.stream, spool, spool.nameOf(id), rules);
          incoming = { stream: file.stream, filename: bareName(file.originalname), stored };
          stored.then(
            () => done(null, {}),
            (error: unknown) => {
              reject(uploadFailure(error));
              done(error);
            },
          );
        },
        // Files are removed below, after the first error of any kind.
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
      upload(request, response, (error: unknown) => (error ? reject(uploadFailure(error)) : resolve()));
    });
    if (!incoming) throw partMissing();
    return { id, filename: incoming.filename, ...(await incoming.stored) };
  } catch (error) {
    incoming?.stream.destroy();
    const fault = await incoming?.stored.then(
      ({ spoolName }) => spool.remove(spoolName),
      (cause: unknown) => cause,
    );
    // A rejected file aborts the body, so multer's error only repeats the file's own error.
    throw fault instanceof Failure ? fault : error;
  }
}

/** Returns the client's file name without folders and control characters. */
function bareName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
  const clean = last.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '').trim();
  return clean.slice(0, 200) || 'export';
}

import type { AcceptedFiles } from '@healthd/providers';
import type { Problem } from '@healthd/schemas';
import { MulterError } from 'multer';
import { Failure, unprocessable } from '../../platform/failures.js';

const PART = 'file';

/** Returns the failure for a rejected part; undefined for the first part with the right name. */
export function partFault(name: string, second: boolean): Failure | undefined {
  if (name !== PART) return partMissing(name.slice(0, 100));
  return second ? unprocessable(['body', PART], 'Only one file can be sent at a time.') : undefined;
}

/**
 * Returns the failure for a request without the file's part. @param unexpected the name of another part that was sent
 */
export function partMissing(unexpected?: string): Failure {
  const problems: Problem[] = [{ loc: ['body', PART], msg: 'Field required', type: 'missing' }];
  if (unexpected !== undefined) {
    const msg = `Unexpected part "${unexpected}": the file must be in the part "${PART}".`;
    problems.push({ loc: ['body', unexpected], msg, type: 'value_error' });
  }
  return new Failure('unprocessable', 'The request is not valid.', { problems });
}

/** Converts an upload error to a failure. Returns file-system errors unchanged. */
export function uploadFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  if (error instanceof MulterError)
    return unprocessable(['body', ...(error.field ? [error.field] : [])], error.message);
  // A failed file-system call is a server error. A failed `read` of the socket and all other errors mean a truncated or
  // malformed body.
  const code = (error as NodeJS.ErrnoException).syscall;
  if (code !== undefined && code !== 'read') return error;
  return new Failure('bad_request', 'The upload was cut off or is not valid multipart/form-data.', { cause: error });
}

/** Returns the failure for a file above the limit. */
export function tooLarge(maxBytes: number): Failure {
  return new Failure(
    'payload_too_large',
    `The file is larger than the ${maxBytes} bytes that this URL accepts (setting IMPORT_MAX_BYTES, or max_file_size of a signed URL).`,
  );
}

/** Returns the failure for a file whose format is not accepted. */
export function notAccepted({ refusal: rejectionText }: AcceptedFiles): Failure {
  return unprocessable(['body', 'file'], rejectionText);
}

export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

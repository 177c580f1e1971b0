import { type FileAdapter, type HeadVerdict, readInThread } from '../files/index.js';

const HEAD_BYTES = 1024;
/** Position of the format's signature in a FIT file. */
const SIGNATURE_AT = 8;

/** Checks whether a file can be a workout file: FIT, gzip, zip, or text that starts with `<`. */
function checkWorkoutHead(head: Uint8Array): HeadVerdict {
  if (head.length < 2) return 'undecided';
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.toString('latin1', SIGNATURE_AT, SIGNATURE_AT + 4) === '.FIT') return 'possible';
  const [a, b] = bytes;
  if ((a === 0x1f && b === 0x8b) || (a === 0x50 && b === 0x4b)) return 'possible';
  // UTF-16. The reader reports that it is unsupported.
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'possible';
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('<')) return 'possible';
  if (head.length < SIGNATURE_AT + 4) return 'undecided';
  if (text !== '') return 'impossible';
  return head.length < HEAD_BYTES ? 'undecided' : 'impossible';
}

/** Workout files of watches and sports applications, single or in an archive. */
export const WORKOUT_FILE: FileAdapter = {
  accepts: {
    extensions: ['fit', 'gpx', 'tcx', 'fit.gz', 'gpx.gz', 'tcx.gz', 'zip'],
    contentType: 'application/octet-stream',
    judgeHead: checkWorkoutHead,
    refusal: 'The file is neither FIT, GPX or TCX nor an archive of these files.',
  },
  // Threads run compiled code only.
  read: (path, options) => {
    const compiled = import.meta.url.endsWith('.js')
      ? './reading-worker.js'
      : '../../dist/workout-files/reading-worker.js';
    return readInThread(new URL(compiled, import.meta.url), path, options);
  },
};

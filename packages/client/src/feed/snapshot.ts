import { unlessAborted } from '../fetch-within.js';
import { TruncatedError } from './retry.js';
import type { SnapshotHead, SnapshotLine, SnapshotRow, SnapshotSource } from './snapshot-lines.js';

/** Part of a user's data. Omitted members do not limit the snapshot. */
export interface SnapshotRange {
  /** First local day, `YYYY-MM-DD`. */
  from?: string;
  /** Last local day, included. */
  to?: string;
  /** Kinds of data, separated by commas. */
  kinds?: string;
  /** Series types of samples, separated by commas. */
  types?: string;
}

/** The service's operation that `readSnapshot` calls. `createClient` returns it. */
export interface SnapshotApi {
  exportSnapshot(input: { params: { user_id: string }; query: SnapshotRange; signal?: AbortSignal }): Promise<Response>;
}

/** A snapshot of one user's data. */
export interface Snapshot {
  head: SnapshotHead;
  /** Sources, then rows, as they arrive. Throws TruncatedError if the snapshot ends too early. */
  lines: AsyncGenerator<SnapshotSource | SnapshotRow>;
}

/**
 * Reads a snapshot of a user's data, or of the days of a change. It contains all changes up to the head's position. It
 * may contain later changes, which the feed delivers again.
 */
export async function readSnapshot(
  client: SnapshotApi,
  userId: string,
  range: SnapshotRange = {},
  signal?: AbortSignal,
): Promise<Snapshot> {
  const response = await client.exportSnapshot({
    params: { user_id: userId },
    query: range,
    ...(signal && { signal }),
  });
  return parseSnapshot(linesOf(chunksOf(response, signal)));
}

/** Parses the lines of a snapshot. @throws TruncatedError, SyntaxError */
async function parseSnapshot(texts: AsyncIterable<string>): Promise<Snapshot> {
  const { value, done } = await snapshotsOf(texts).next();
  if (done) throw new TruncatedError('The snapshot is empty');
  return value;
}

/**
 * Parses one or more snapshots, for example of a file with the copies of several users. Read the lines of each snapshot
 * before you request the next snapshot.
 * @throws TruncatedError, SyntaxError
 */
export async function* snapshotsOf(texts: AsyncIterable<string>): AsyncGenerator<Snapshot, undefined> {
  const iterator = texts[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) return undefined;
    if (value === '') continue;
    const head = JSON.parse(value) as SnapshotLine;
    if (head.kind !== 'snapshot') throw new TruncatedError('The snapshot does not begin with its first line');
    yield { head, lines: linesUntilEnd(iterator) };
  }
}

async function* linesUntilEnd(texts: AsyncIterator<string>): AsyncGenerator<SnapshotSource | SnapshotRow> {
  let rows = 0;
  let isComplete = false;
  try {
    for (;;) {
      const { value, done } = await texts.next();
      if (done) throw new TruncatedError('The snapshot ended before its last line');
      const line = JSON.parse(value) as SnapshotLine;
      if (line.kind === 'snapshot') throw new TruncatedError('The snapshot ended before its last line');
      if (line.kind === 'end') {
        if (line.rows !== rows) throw new TruncatedError(`The snapshot contains ${rows} of ${line.rows} rows`);
        isComplete = true;
        return;
      }
      if (line.kind !== 'source') rows++;
      yield line;
    }
  } finally {
    // Closes the connection if the reader stops early.
    if (!isComplete) await texts.return?.();
  }
}

async function* chunksOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  // Not every browser can iterate over a stream.
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { value, done } = await unlessAborted(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // Does not wait for the cancellation, which may never end if the request was aborted.
    void reader.cancel().catch(() => undefined);
  }
}

/** Splits UTF-8 text into lines. Also yields a last line that has no line break. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

import { PushReader } from '@healthd/providers';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Binding, sdkRoutes, syncStreamRoutes } from '../http/index.js';
import { batchRetrier, InboxCapacity, inboxCleaning, pushJob, pushSweeper } from '../ingest/push/index.js';
import type { DatabaseChannels } from '../platform/database/index.js';
import type { JobQueue } from '../platform/jobs/index.js';
import { cleaningJob } from '../retention/index.js';
import { type RunRetrier, type SyncRuns, SyncStreams } from '../runs/index.js';
import type { RecordWriter } from '../store/write/index.js';
import type { Overrides } from './overrides.js';
import type { Settings } from './settings/settings.js';

export interface PushParts {
  bindings: Binding[];
  retrier: RunRetrier;
  streams: SyncStreams;
  /** Ends the open streams, so that the server can stop. */
  closeStreams(): void;
  /** Call after the queue has stopped. */
  closeReader(): void;
}

/** Creates the device pushes and the status streams. Call before the queue starts. */
export function composePush(options: {
  settings: Pick<Settings, 'pushMaxBytes' | 'pushInboxMaxBytes' | 'uploadIdleSeconds' | 'failedUploadRetentionDays'>;
  pool: pg.Pool;
  channels: DatabaseChannels;
  runs: SyncRuns;
  writer: RecordWriter;
  queue: Pick<JobQueue, 'define' | 'sweep'>;
  log: Pick<Logger, 'warn'>;
  overrides: Pick<Overrides, 'heartbeatMs' | 'streamsPerCaller'>;
}): PushParts {
  const { settings, pool, channels, runs, writer, queue, log, overrides } = options;
  const reader = new PushReader();
  const maxBytes = settings.pushMaxBytes;
  const pushes = queue.define(pushJob({ pool, runs, writer, reader, maxBytes }));
  queue.sweep(pushSweeper({ pool }));
  queue.define(cleaningJob(inboxCleaning({ pool, keepDays: settings.failedUploadRetentionDays })));
  const streams = new SyncStreams({
    pool,
    channels,
    heartbeatMs: overrides.heartbeatMs,
    onError: (error) =>
      log.warn({ event: 'sync_event_streams_interrupted', err: error }, 'Sync event streams were interrupted'),
  });
  const room = new InboxCapacity(pool, settings.pushInboxMaxBytes);
  const limits = { maxBytes, idleSeconds: settings.uploadIdleSeconds };
  return {
    bindings: [
      ...sdkRoutes({ pool, runs, pushes, room, limits }),
      ...syncStreamRoutes({ streams, perCaller: overrides.streamsPerCaller }),
    ],
    streams,
    retrier: batchRetrier({ pool, runs, pushes }),
    closeStreams: () => streams.close(),
    closeReader: () => reader.close(),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type HealthdClient, messagesOf } from '@healthd/client';
import { type SyncSource, type SyncStatus, streamAllSyncEvents, streamSyncEvents } from '@healthd/contract';
import type { SyncStatusEvent } from '@healthd/schemas';
import { Absence } from './absence.js';

const RECONNECT_AFTER_MS = 1_000;

/** Filters of the runs. */
interface StreamFilter {
  /** Undefined for all users. */
  user?: string | undefined;
  provider?: string | undefined;
  source?: SyncSource | undefined;
  status?: SyncStatus | undefined;
}

export interface StreamOptions extends StreamFilter {
  /** Number of past events to replay first. */
  replay: number;
  signal: AbortSignal;
  /** Command that resumes later, shown if the service stays unreachable. */
  resume: string;
  /** Timeout for an unreachable service, in milliseconds. */
  awayAtMostMs?: number;
  /** Called when the stream is open, so no later event is missed. */
  onOpen?(): void;
}

/** Number of remembered events. A reopened stream of all users repeats far fewer events. */
const REMEMBERED = 5_000;

/** Yields steps of runs as they happen. Reopens a broken connection after the last event. Never ends. */
export async function* syncEvents(client: HealthdClient, options: StreamOptions): AsyncGenerator<SyncStatusEvent> {
  const { signal, resume, onOpen } = options;
  const seen = new Set<string>();
  let lastId: string | undefined;
  const absence = new Absence({ resume, signal, atMostMs: options.awayAtMostMs });
  for (;;) {
    try {
      const response = await openStream(client, options, lastId);
      absence.end();
      onOpen?.();
      for await (const { id, event, data } of messagesOf(response.body ?? [])) {
        lastId = id ?? lastId;
        if (event !== 'sync.status') continue;
        const step = JSON.parse(data) as SyncStatusEvent;
        if (!seen.has(step.event_id)) yield step;
        seen.add(step.event_id);
        if (seen.size > REMEMBERED) seen.delete(seen.values().next().value ?? '');
      }
      await sleep(RECONNECT_AFTER_MS, undefined, { signal });
    } catch (error) {
      await absence.waitAfter(error);
    }
  }
}

/** Yields the last steps of all users' runs, oldest first. */
export async function* pastEvents(
  client: HealthdClient,
  options: Omit<StreamOptions, 'resume' | 'user'>,
): AsyncGenerator<SyncStatusEvent> {
  const left = new AbortController();
  const response = await openStream(client, { ...options, signal: AbortSignal.any([options.signal, left.signal]) });
  try {
    for await (const { event, data } of messagesOf(response.body ?? [])) {
      // An event without data marks the end of the replay.
      if (data === '') return;
      if (event === 'sync.status') yield JSON.parse(data) as SyncStatusEvent;
    }
  } finally {
    left.abort();
  }
}

function openStream(
  client: HealthdClient,
  { user, provider, source, status, replay, signal }: Omit<StreamOptions, 'resume'>,
  lastId?: string,
): Promise<Response> {
  const headers = { Accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }) };
  // Not validated here, because the service's error lists the valid providers.
  const query = { replay, source, status, provider: provider as 'google' | undefined };
  if (user !== undefined) return client.send(streamSyncEvents, { params: { user_id: user }, query, signal }, headers);
  return client.send(streamAllSyncEvents, { query, signal }, headers);
}

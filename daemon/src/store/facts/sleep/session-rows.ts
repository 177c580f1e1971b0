import { SLEEP_LENGTH } from '@healthd/model';
import type pg from 'pg';
import type { EventColumn } from '../events/event-store.js';
import type { WriteContext } from '../write-context.js';
import { loadAssembled, type StoredSession } from './assembled-sessions.js';
import type { AssembledSession } from './assembly.js';
import { NAP_REACH_MS } from './nap.js';
import { SESSION_COLUMNS } from './session-columns.js';
import type { SourceSpan } from './source-span.js';

/** An assembled session as it is stored. */
export interface SessionRow extends AssembledSession {
  id: string;
  sourceId: number;
  wakeDate: string;
  isNap: boolean;
}

/**
 * The sessions that the span may decide on, and all that may decide on those: judged by a part of its deciders alone, a
 * nap would turn into a night.
 */
export function loadSessions(context: WriteContext, { sourceId, fromMs, toMs }: SourceSpan): Promise<StoredSession[]> {
  const span = { sourceId, fromMs: fromMs - 2 * NAP_REACH_MS - SLEEP_LENGTH.maxMs, toMs: toMs + 2 * NAP_REACH_MS };
  return loadAssembled(context, span);
}

/** Deletes sessions that nothing assembles any more. */
export async function deleteStoredSessions(
  client: pg.ClientBase,
  userKey: number,
  sessions: StoredSession[],
): Promise<void> {
  if (sessions.length === 0) return;
  await client.query('delete from sleep_session where user_key = $1 and id = any ($2::uuid[])', [
    userKey,
    sessions.map(({ id }) => id),
  ]);
}

/** How assembled sessions are written. */
export const ASSEMBLED_TABLE = {
  name: 'sleep_session',
  target: '(user_key, id)',
  identity: ['id'],
  columns: [
    { name: 'id', type: 'uuid', value: ({ id }) => id },
    { name: 'assembled', type: 'boolean', value: () => true },
    { name: 'external_id', type: 'text', value: ({ externalId }) => externalId },
    { name: 'wake_date', type: 'date', value: ({ wakeDate }) => wakeDate },
    ...SESSION_COLUMNS,
  ] satisfies EventColumn<SessionRow>[],
};

import { fromDayNumber, type Rejected, SLEEP_LENGTH } from '@healthd/model';
import { groupedBy } from '../../platform/grouped-by.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { AssembledSession } from '../facts/sleep/session-columns.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import type { StageInterval } from '../facts/sleep/stages.js';
import { assembleSessions } from './assembly.js';
import { isNap, NAP_REACH_MS, type NapCandidate, nightDaysOf, wakeDay } from './nap.js';

/** Number of sessions processed between two yields to the event loop. */
const SESSIONS_AT_ONCE = 500;

/** How the sleep summary counted a session when it was archived. */
interface ArchivedAs {
  date: string;
  isNap: boolean;
}

/** A previously assembled session. If it has no offset, `offsetMinutes` is from the timeline. */
export interface StoredSession extends NapCandidate {
  id: string;
  externalId?: string;
  wakeDate: string;
  isNap: boolean;
  archivedAs?: ArchivedAs | undefined;
}

/** Stored data around one source's changed stages. */
export interface SleepSnapshot {
  /** A span that contains every affected session completely. */
  span: SourceSpan;
  /** The source's stages in groups. All stages of a session are in the same group. */
  groups: readonly StageInterval[][];
  /** Stored sessions that the span may affect, and all sessions that may affect those sessions, by start. */
  near: readonly StoredSession[];
  /** Local end days of deleted nights. */
  deletedNightDays: readonly number[];
  /** Maximum pause between sleep stages of one session. */
  gapMinutes: number;
}

/** An assembled session to write. */
export interface DecidedNight extends AssembledSession {
  /** ID of the stored session that this session continues; undefined for a new session. */
  id: string | undefined;
  sourceId: number;
  wakeDate: string;
  isNap: boolean;
  /** How the summary counted the archived session that this session continues or is part of. */
  archivedAs: ArchivedAs | undefined;
}

/** The sessions of a span to be stored. */
export interface DecidedSleep {
  nights: DecidedNight[];
  /** Stored sessions that no longer exist after the decision. */
  removed: StoredSession[];
  /** Stored sessions around the span that change between nap and night. */
  reclassified: StoredSession[];
  rejected: Rejected[];
}

/**
 * Assembles the sessions of a span. A session keeps the ID of the stored session that it overlaps most. Yields at
 * points where the caller may switch to other work.
 */
export function* decideSleep(snapshot: SleepSnapshot, timeline: OffsetTimeline): Generator<void, DecidedSleep> {
  const { span, groups, near, gapMinutes } = snapshot;
  const valid: AssembledSession[] = [];
  const rejected: Rejected[] = [];
  for (const stages of groups) {
    for (const session of assembleSessions(stages, gapMinutes)) {
      const lengthMs = session.endMs - session.startMs;
      // Skips a session that is too short so far. Its stages remain, because the session may still grow.
      if (lengthMs < SLEEP_LENGTH.minMs) continue;
      if (lengthMs <= SLEEP_LENGTH.maxMs) valid.push(session);
      else rejected.push(tooLong(rejected.length));
    }
    yield;
  }
  valid.sort((a, b) => a.startMs - b.startMs);
  yield;
  const inside = near.filter((session) => isWithin(session, span, 0));
  const outside = near.filter((session) => !isWithin(session, span, 0));
  const origins = originsOf(valid, inside);
  yield;
  const candidates = valid.map((session) => ({
    ...session,
    offsetMinutes: session.offsetMinutes ?? timeline.offsetAt(session.endMs),
  }));
  yield;
  const nightDays = nightDaysOf([...candidates, ...outside]);
  for (const day of snapshot.deletedNightDays) nightDays.add(day);
  const nights: DecidedNight[] = [];
  for (const [index, session] of valid.entries()) {
    if (index % SESSIONS_AT_ONCE === 0) yield;
    const candidate = candidates[index] as NapCandidate;
    nights.push({
      ...session,
      ...(origins[index] as Origin),
      sourceId: span.sourceId,
      wakeDate: fromDayNumber(wakeDay(candidate)),
      isNap: isNap(candidate, nightDays),
    });
  }
  yield;
  const originIds = new Set(origins.map(({ id }) => id));
  return {
    nights,
    removed: inside.filter(({ id }) => !originIds.has(id)),
    reclassified: outside.filter(
      (session) => isWithin(session, span, NAP_REACH_MS) && isNap(session, nightDays) !== session.isNap,
    ),
    rejected,
  };
}

type Origin = Pick<DecidedNight, 'id' | 'archivedAs'>;

/**
 * Returns the ID and the archived classification that each assembled session inherits from a stored session. Each ID is
 * used once. A match by the vendor's ID takes precedence over overlap. If a session was divided, its other parts
 * inherit only the classification.
 * @param sessions by start
 * @param stored by start
 */
function originsOf(sessions: readonly AssembledSession[], stored: readonly StoredSession[]): Origin[] {
  const named = namesakesOf(sessions, stored);
  const used = new Set(named.values());
  const open = openSessions(stored);
  return sessions.map((session) => {
    const same = named.get(session);
    if (same) return { id: same.id, archivedAs: same.archivedAs };
    const over = open(session);
    const best = mostShared(
      session,
      over.filter((candidate) => !used.has(candidate)),
    );
    if (best) used.add(best);
    return { id: best?.id, archivedAs: (best ?? mostShared(session, over))?.archivedAs };
  });
}

/**
 * Returns each assembled session's stored session with the same vendor ID. If a long pause divides a vendor's session,
 * several parts have its ID. The first part that overlaps a stored session continues it. If no part overlaps it, the
 * first unmatched part continues it.
 */
function namesakesOf(
  sessions: readonly AssembledSession[],
  stored: readonly StoredSession[],
): Map<AssembledSession, StoredSession> {
  const byName = groupedBy(stored, ({ externalId }) => externalId);
  const named = new Map<AssembledSession, StoredSession>();
  for (const [externalId, parts] of groupedBy(sessions, (session) => session.externalId)) {
    const own = externalId === undefined ? undefined : byName.get(externalId);
    if (!own) continue;
    const free = new Set(own);
    const open = openSessions(own);
    for (const part of parts) {
      const best = mostShared(
        part,
        open(part).filter((candidate) => free.has(candidate)),
      );
      if (best) named.set(part, best);
      if (best) free.delete(best);
    }
    const rest = free.values();
    for (const part of parts) {
      const next = named.has(part) ? undefined : rest.next().value;
      if (next) named.set(part, next);
    }
  }
  return named;
}

/**
 * Returns a function that returns the stored sessions that overlap a session. Call it with sessions in order of start.
 */
function openSessions(stored: readonly StoredSession[]): (session: AssembledSession) => readonly StoredSession[] {
  let open: StoredSession[] = [];
  let next = 0;
  return ({ startMs, endMs }) => {
    for (; next < stored.length && (stored[next] as StoredSession).startMs < endMs; next++) {
      open.push(stored[next] as StoredSession);
    }
    open = open.filter((candidate) => candidate.endMs > startMs);
    return open;
  };
}

/** Returns the first stored session that overlaps a session most; undefined without any overlap. */
function mostShared(session: AssembledSession, stored: readonly StoredSession[]): StoredSession | undefined {
  let best: StoredSession | undefined;
  let bestMs = 0;
  for (const candidate of stored) {
    const sharedMs = Math.min(session.endMs, candidate.endMs) - Math.max(session.startMs, candidate.startMs);
    if (sharedMs > bestMs) {
      best = candidate;
      bestMs = sharedMs;
    }
  }
  return best;
}

/** True if a session is within reach of a span. */
function isWithin({ startMs, endMs }: NapCandidate, span: SourceSpan, reachMs: number): boolean {
  return startMs <= span.toMs + reachMs && endMs >= span.fromMs - reachMs;
}

function tooLong(index: number): Rejected {
  const detail = SLEEP_LENGTH.text;
  return { kind: 'rejected', collection: 'sleep_sessions', index, field: 'end', code: 'implausible', detail };
}

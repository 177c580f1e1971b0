import { fromDayNumber, type Rejected, SLEEP_LENGTH } from '@healthd/model';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { AssembledSession } from '../facts/sleep/session-columns.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import type { StageInterval } from '../facts/sleep/stage-rows.js';
import { assembleSessions } from './assembly.js';
import { isNap, NAP_REACH_MS, type NapCandidate, nightDaysOf, wakeDay } from './nap.js';

/** Sessions between two turns. */
const SESSIONS_AT_ONCE = 500;

/** A session as it was assembled before; `offsetMinutes` from the timeline where it has none of its own. */
export interface StoredSession extends NapCandidate {
  id: string;
  externalId?: string;
  wakeDate: string;
  isNap: boolean;
}

/** What is stored around changed stages of one source. */
export interface SleepSnapshot {
  /** A span that no session reaches beyond. */
  span: SourceSpan;
  /** Its stages in groups; a session is of one group. */
  groups: readonly StageInterval[][];
  /** Stored sessions that the span may decide on, and all that may decide on those, by start. */
  near: readonly StoredSession[];
  /** Local days on which deleted nights ended. */
  deletedNightDays: readonly number[];
  /** Longest pause between sleep stages of one session. */
  gapMinutes: number;
}

/** An assembled session to write. */
export interface DecidedNight extends AssembledSession {
  /** Id of the stored session that it continues; undefined for a new session. */
  id: string | undefined;
  sourceId: number;
  wakeDate: string;
  isNap: boolean;
}

/** The sessions of a span as they are to be stored. */
export interface DecidedSleep {
  nights: DecidedNight[];
  /** Stored sessions in the span, before. */
  inside: StoredSession[];
  /** Stored sessions that nothing assembles any more. */
  removed: StoredSession[];
  /** Stored sessions around the span that turn from nap to night, or back. */
  reclassified: StoredSession[];
  rejected: Rejected[];
}

/**
 * Assembles the sessions of a span. A session keeps the id of the stored session that it overlaps most. Yields where the
 * caller may give others a turn.
 */
export function* decideSleep(snapshot: SleepSnapshot, timeline: OffsetTimeline): Generator<void, DecidedSleep> {
  const { span, groups, near, gapMinutes } = snapshot;
  const valid: AssembledSession[] = [];
  const rejected: Rejected[] = [];
  for (const stages of groups) {
    for (const session of assembleSessions(stages, gapMinutes)) {
      const lengthMs = session.endMs - session.startMs;
      // What is too short to be a session may still grow: its stages stay.
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
  const ids = keptIds(valid, inside);
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
      id: ids[index],
      sourceId: span.sourceId,
      wakeDate: fromDayNumber(wakeDay(candidate)),
      isNap: isNap(candidate, nightDays),
    });
  }
  yield;
  const kept = new Set(ids);
  return {
    nights,
    inside,
    removed: inside.filter(({ id }) => !kept.has(id)),
    reclassified: outside.filter(
      (session) => isWithin(session, span, NAP_REACH_MS) && isNap(session, nightDays) !== session.isNap,
    ),
    rejected,
  };
}

/**
 * Ids of the stored sessions that the assembled ones continue, each used once: the vendor's id decides before overlap.
 * @param sessions by start
 * @param stored by start
 */
function keptIds(sessions: readonly AssembledSession[], stored: readonly StoredSession[]): (string | undefined)[] {
  const byName = new Map<string, StoredSession>();
  for (const one of stored) {
    if (one.externalId !== undefined && !byName.has(one.externalId)) byName.set(one.externalId, one);
  }
  const named = sessions.map(({ externalId }) => (externalId === undefined ? undefined : byName.get(externalId)));
  const used = new Set(named);
  /** Free sessions that may overlap the next one. */
  let open: StoredSession[] = [];
  let next = 0;
  return sessions.map((session, index) => {
    const same = named[index];
    if (same) return same.id;
    for (; next < stored.length && (stored[next] as StoredSession).startMs < session.endMs; next++) {
      open.push(stored[next] as StoredSession);
    }
    open = open.filter((candidate) => candidate.endMs > session.startMs && !used.has(candidate));
    let best: StoredSession | undefined;
    let bestMs = 0;
    for (const candidate of open) {
      const sharedMs = Math.min(session.endMs, candidate.endMs) - Math.max(session.startMs, candidate.startMs);
      if (sharedMs > bestMs) {
        best = candidate;
        bestMs = sharedMs;
      }
    }
    if (best) used.add(best);
    return best?.id;
  });
}

/** Whether a session touches a span, or what lies within reach of it. */
function isWithin({ startMs, endMs }: NapCandidate, span: SourceSpan, reachMs: number): boolean {
  return startMs <= span.toMs + reachMs && endMs >= span.fromMs - reachMs;
}

function tooLong(index: number): Rejected {
  const detail = SLEEP_LENGTH.text;
  return { kind: 'rejected', collection: 'sleep_sessions', index, field: 'end', code: 'implausible', detail };
}

import { groupedBy } from '../../platform/grouped-by.js';

/** A session with a start and an end. */
export interface TimeSpan {
  start_at: Date;
  end_at: Date;
}

/** Maximum number of concurrent sessions that are compared with a session. No user has this many devices. */
const MAX_CONCURRENT = 32;
/** Number of sessions processed between two yields to the event loop. */
const SESSIONS_PER_PIECE = 256;

/** Positions of two sessions that are copies. */
export type CopyPair = readonly [at: number, other: number];

/**
 * Returns the pairs of copies. Costs n log n, because only a limited number of concurrent sessions is compared. Yields
 * between pieces of work.
 * @param ordered by start
 * @param areCopies compares two sessions that touch or overlap
 */
export function* copyPairs<Session extends TimeSpan>(
  ordered: readonly Session[],
  areCopies: (a: Session, b: Session) => boolean,
): Generator<void, CopyPair[]> {
  const pairs: CopyPair[] = [];
  const endsMs = ordered.map(({ end_at: endAt }) => endAt.getTime());
  let concurrent: number[] = [];
  for (const [at, session] of ordered.entries()) {
    if (at % SESSIONS_PER_PIECE === 0) yield;
    const startMs = session.start_at.getTime();
    concurrent = concurrent.filter((other) => (endsMs[other] as number) >= startMs);
    for (const other of concurrent) {
      if (areCopies(session, ordered[other] as Session)) pairs.push([at, other]);
    }
    if (concurrent.length < MAX_CONCURRENT) concurrent.push(at);
  }
  return pairs;
}

/** Groups sessions that pairs connect, directly or through other sessions. A session without a pair is a separate group. */
export function groupConnected<Session>(sessions: readonly Session[], pairs: readonly CopyPair[]): Session[][] {
  const parents = sessions.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root] as number;
    parents[at] = root;
    return root;
  };
  for (const [at, other] of pairs) parents[rootOf(other)] = rootOf(at);
  const groups = groupedBy([...sessions.keys()], rootOf);
  return [...groups.values()].map((group) => group.map((at) => sessions[at] as Session));
}

/** Returns the length in milliseconds of the overlap of two sessions; negative if they do not touch. */
export function overlapMs(a: TimeSpan, b: TimeSpan): number {
  return Math.min(a.end_at.getTime(), b.end_at.getTime()) - Math.max(a.start_at.getTime(), b.start_at.getTime());
}

export function lengthMs({ start_at: startAt, end_at: endAt }: TimeSpan): number {
  return endAt.getTime() - startAt.getTime();
}

import { groupedBy } from '../../platform/grouped-by.js';

/** A session with a start and an end. */
export interface TimeSpan {
  start_at: Date;
  end_at: Date;
}

/** Sessions of one instant that are compared with a new one. More than any person's devices record. */
const MAX_CONCURRENT = 100;

/**
 * Groups sessions that are copies of one another, directly or through others. A session without copies is a group of its
 * own. Costs n log n, because only a limited number of concurrent sessions is compared.
 * @param ordered by start
 * @param areCopies compares two sessions that touch or overlap
 */
export function groupOverlapping<Session extends TimeSpan>(
  ordered: readonly Session[],
  areCopies: (a: Session, b: Session) => boolean,
): Session[][] {
  const parents = ordered.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root] as number;
    parents[at] = root;
    return root;
  };
  let concurrent: number[] = [];
  for (const [at, session] of ordered.entries()) {
    concurrent = concurrent.filter((other) => (ordered[other] as Session).end_at >= session.start_at);
    for (const other of concurrent) {
      if (areCopies(session, ordered[other] as Session)) parents[rootOf(other)] = rootOf(at);
    }
    if (concurrent.length < MAX_CONCURRENT) concurrent.push(at);
  }
  const groups = groupedBy([...ordered.keys()], rootOf);
  return [...groups.values()].map((group) => group.map((at) => ordered[at] as Session));
}

/** Milliseconds that two sessions have in common; negative if they do not touch. */
export function overlapMs(a: TimeSpan, b: TimeSpan): number {
  return Math.min(a.end_at.getTime(), b.end_at.getTime()) - Math.max(a.start_at.getTime(), b.start_at.getTime());
}

export function lengthMs({ start_at: startAt, end_at: endAt }: TimeSpan): number {
  return endAt.getTime() - startAt.getTime();
}

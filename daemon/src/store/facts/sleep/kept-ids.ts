import type { StoredSession } from './assembled-sessions.js';
import type { AssembledSession } from './assembly.js';
import type { NapCandidate } from './nap.js';
import type { SourceSpan } from './source-span.js';

/**
 * Ids of the stored sessions that the assembled ones continue, each used once: the vendor's id decides before overlap.
 * @param sessions by start
 * @param stored by start
 */
export function keptIds(
  sessions: readonly AssembledSession[],
  stored: readonly StoredSession[],
): (string | undefined)[] {
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
export function isWithin({ startMs, endMs }: NapCandidate, span: SourceSpan, reachMs: number): boolean {
  return startMs <= span.toMs + reachMs && endMs >= span.fromMs - reachMs;
}

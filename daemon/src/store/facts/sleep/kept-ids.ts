import type { StoredSession } from './assembled-sessions.js';
import type { AssembledSession } from './assembly.js';
import type { NapCandidate } from './nap.js';
import type { SourceSpan } from './source-span.js';

/** Ids of the stored sessions that the assembled ones continue, each used once: the vendor's id decides before overlap. */
export function keptIds(sessions: AssembledSession[], stored: StoredSession[]): (string | undefined)[] {
  const free = new Set(stored);
  const named = sessions.map(({ externalId }) =>
    externalId === undefined ? undefined : stored.find((candidate) => candidate.externalId === externalId),
  );
  for (const session of named) if (session) free.delete(session);
  return sessions.map((session, index) => {
    const same = named[index];
    if (same) return same.id;
    let best: StoredSession | undefined;
    let bestMs = 0;
    for (const candidate of free) {
      const sharedMs = Math.min(session.endMs, candidate.endMs) - Math.max(session.startMs, candidate.startMs);
      if (sharedMs > bestMs) {
        best = candidate;
        bestMs = sharedMs;
      }
    }
    if (best) free.delete(best);
    return best?.id;
  });
}

/** Whether a session touches a span, or what lies within reach of it. */
export function isWithin({ startMs, endMs }: NapCandidate, span: SourceSpan, reachMs: number): boolean {
  return startMs <= span.toMs + reachMs && endMs >= span.fromMs - reachMs;
}

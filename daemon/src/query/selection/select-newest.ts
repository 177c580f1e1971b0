import type { Priorities } from '../../priorities/index.js';
import { type Candidate, type Selection, selectSource } from './select-source.js';

/** A reading of the body. One source may have several candidates. */
export interface DatedCandidate extends Candidate {
  at: Date;
  /** True if the value is from the vendor's profile, so that `at` is not the time of a measurement. */
  isProfile: boolean;
}

/**
 * Selects the newest measured reading of any source. Sources that measured at the same instant are ranked by the same
 * rule as in all other groups. A profile value counts only if there is no measurement.
 */
export function selectNewest<C extends DatedCandidate>(candidates: readonly C[], priorities: Priorities): Selection<C> {
  const measured = candidates.filter(({ isProfile }) => !isProfile);
  const counted = measured.length > 0 ? measured : candidates;
  const newestMs = counted.reduce((newest, { at }) => Math.max(newest, at.getTime()), Number.NEGATIVE_INFINITY);
  const newest = counted.filter(({ at }) => at.getTime() === newestMs);
  const selection = selectSource(newest, { priorities, enough: 'any', isSum: false });
  const isNewest = new Set(newest);
  const others = candidates
    .filter((candidate) => !isNewest.has(candidate))
    .sort((a, b) => Number(a.isProfile) - Number(b.isProfile) || b.at.getTime() - a.at.getTime())
    .map((candidate) => ({
      candidate,
      reason: candidate.isProfile && measured.length > 0 ? ('profile_value' as const) : ('older_reading' as const),
    }));
  return { ...selection, placed: [...selection.placed, ...others] };
}

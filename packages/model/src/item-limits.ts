import type { RejectionCode } from './rejections.js';

/**
 * Maximum numbers of items that may collide, counted per source. The limits prevent one request from blocking the
 * service. Real devices send far fewer items. Items above a limit are rejected as `too_many`. The limits do not delete
 * rows that an older version stored.
 */
export const ITEM_LIMITS = {
  /** Sleep sessions of one night: sessions whose stages have a vendor ID, and sessions that a vendor assembled. */
  sessionsOfNight: 200,
  stagesOfNight: 5_000,
  /** Samples of one series and type that start in the same millisecond. */
  readingsOfInstant: 1_000,
  /** Workouts, or nights that a vendor assembled, that start in the same second. */
  sessionsOfSecond: 1_000,
  /** Events of one workout, such as pauses and laps; also parts of one multisport workout. */
  partsOfWorkout: 10_000,
  /** Apps and devices of one user and provider. */
  sourcesOfProvider: 1_000,
} as const;

/**
 * Limits for comparing a batch with stored rows. If the batch and the stored rows together have at most `inlineItems`
 * items, the main thread compares them. Otherwise a separate thread compares them, within `seconds` and `megabytes`.
 */
export const DECIDE_LIMITS = { inlineItems: 500, seconds: 20, megabytes: 512 } as const;

/** Rejection code for items above one of the {@link ITEM_LIMITS}. */
export const TOO_MANY = 'too_many' satisfies RejectionCode;

import type { RejectionCode } from './rejections.js';

/**
 * Most items that may collide, those of a source by themselves. No device comes near them; they keep one request from holding up the
 * service. Items beyond a limit are rejected as `too_many`; rows that an older version stored stay.
 */
export const ITEM_LIMITS = {
  /** Sessions with a vendor's id among the stages of one night. */
  sessionsOfNight: 200,
  stagesOfNight: 5_000,
  /** Samples of one series and kind that start in the same millisecond. */
  readingsOfInstant: 1_000,
  /** Workouts, or nights that a vendor assembled, that start in the same second. */
  sessionsOfSecond: 1_000,
  /** Events of one workout, such as pauses and laps; also parts of one multisport workout. */
  partsOfWorkout: 10_000,
  /** Apps and devices of one person and provider. */
  sourcesOfProvider: 1_000,
} as const;

/**
 * Where a batch is compared with what is stored, and how long that may take. Up to `inlineItems` of the batch and of what is
 * stored around it are compared on the main thread, more in a thread within `seconds` and `megabytes`.
 */
export const DECIDE_LIMITS = { inlineItems: 500, seconds: 20, megabytes: 512 } as const;

/** Code of an item beyond one of {@link ITEM_LIMITS}. */
export const TOO_MANY = 'too_many' satisfies RejectionCode;

import type { PayloadObject } from '../../payload/index.js';

/** A time in bed as one version of it has it. */
export interface PlacedSleep {
  id: string;
  /** The time of the record, which all versions of one sleep have, in milliseconds. */
  atMs: number;
  startMs: number;
  endMs: number;
  offsetMinutes: number | undefined;
  data: PayloadObject;
  /** Of two versions of one sleep the higher one counts. */
  rank: number;
}

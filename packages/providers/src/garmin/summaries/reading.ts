import { z } from 'zod';
import type { DeliveredRecords, ItemPiece, Tally } from '../../cloud/index.js';
import { isObject, type PayloadObject, type PayloadOf, readPayload } from '../../payload/index.js';

/** State of reading one item. */
export interface SummaryReading {
  tally: Tally;
  /** Position of the item in its list. */
  index: number;
  /**
   * Counts an invalid value in one of the item's seconds. Seconds are counted in every piece. The other members are
   * repeated in every piece, so the tally counts them only for the last piece.
   */
  countSecond(field: string): void;
  /** Undefined for an item that is read whole. */
  piece?: ItemPiece;
}

/** Reads one item of a summary type. Returns undefined if nothing is usable; the tally contains the reason. */
export type SummaryReader = (item: PayloadObject, reading: SummaryReading) => DeliveredRecords | undefined;

/** Time members of an item. Some types have other names. */
export const PLACE = z.object({
  /** Epoch seconds. An item without it is rejected. */
  startTimeInSeconds: z.unknown(),
  startTimeOffsetInSeconds: z.number(),
  durationInSeconds: z.number(),
  /** Older name of `durationInSeconds`. */
  duration: z.number(),
  calendarDate: z.string().regex(/^\d{4}-\d\d-\d\d$/),
});

/** Values by the seconds after the start of the item. */
export const VALUES = z.custom<PayloadObject>(isObject);

/** Returns a reader that parses an item with `payload`, then calls `read`. Counts members that cannot be parsed. */
export function summaryReader<Shape extends z.ZodRawShape>(
  payload: z.ZodObject<Shape>,
  read: (item: PayloadOf<z.ZodObject<Shape>>, reading: SummaryReading) => DeliveredRecords | undefined,
): SummaryReader {
  return (item, reading) => read(readPayload(payload, item, faultOf(reading)), reading);
}

/** Reads the parts of a list in an item. Counts parts that are not objects, and unreadable members. */
export function readParts<Shape extends z.ZodRawShape>(
  payload: z.ZodObject<Shape>,
  list: readonly unknown[] = [],
  name: string,
  count: (field: string) => void,
): PayloadOf<z.ZodObject<Shape>>[] {
  return list.flatMap((part) => {
    if (isObject(part)) return [readPayload(payload, part, (field) => count(`${name}.${field}`))];
    count(name);
    return [];
  });
}

/** Returns a function that counts an unreadable member of an item. */
export function faultOf({ tally, index }: SummaryReading): (field: string) => void {
  return (field) => tally.rejectUnreadable(index, field);
}

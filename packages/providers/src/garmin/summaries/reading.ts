import type { DeliveredRecords, ItemPiece, Tally } from '../../cloud/index.js';
import type { PayloadObject } from '../../payload/index.js';

/** What counts while one item is read. */
export interface SummaryReading {
  tally: Tally;
  /** Position of the item among those of its kind. */
  index: number;
  /** Undefined for an item that is read whole. */
  piece?: ItemPiece;
}

/** Reads one item of a kind of summary; undefined when nothing of it can be used, which the tally then says. */
export type SummaryReader = (item: PayloadObject, reading: SummaryReading) => DeliveredRecords | undefined;

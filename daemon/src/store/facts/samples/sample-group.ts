/** The rows of one series from one source within a batch, and what the table already holds around them. */
export interface SampleGroup {
  typeId: number;
  sourceId: number;
  /** Whole seconds from the first start on, in which samples may lie that rows of the batch are. */
  firstMs: number;
  lastMs: number;
  /** True when the table holds samples of this series and source that start from `firstMs` to `lastMs`. */
  overlaps: boolean;
  /** The series is summed and the batch has samples of it, not totals alone, so that one may stand for several. */
  isSummed: boolean;
  /** True when the table holds such samples that reach into the group's time. */
  mayBePieces: boolean;
  /** Nearest stored starts before and after, when near enough to share a local date. */
  previousMs?: number;
  nextMs?: number;
}

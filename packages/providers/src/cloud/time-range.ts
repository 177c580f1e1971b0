/** A half-open range of instants, milliseconds since 1970-01-01T00:00:00Z. */
export interface TimeRange {
  startMs: number;
  endMs: number;
}

import { groupIntervals, MS_PER_DAY } from '@healthd/model';

/** A stretch of time of one source. */
export interface SourceSpan {
  sourceId: number;
  fromMs: number;
  toMs: number;
}

/** A stage that is stored now, and was not before or otherwise. */
export interface ChangedStage extends SourceSpan {
  isNew: boolean;
}

/** Joins spans of one source that are within a day of each other, so that nights in a row are assembled together. */
export function joinSpans(spans: readonly SourceSpan[]): SourceSpan[] {
  const sourceIds = [...new Set(spans.map(({ sourceId }) => sourceId))].sort((a, b) => a - b);
  return sourceIds.flatMap((sourceId) => {
    const own = spans.filter((span) => span.sourceId === sourceId);
    const joined = groupIntervals(own, ({ fromMs, toMs }) => [fromMs, toMs], { gap: MS_PER_DAY });
    return joined.map(({ from, to }) => ({ sourceId, fromMs: from, toMs: to }));
  });
}

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
  const bySource = new Map<number, SourceSpan[]>();
  for (const span of spans) {
    const own = bySource.get(span.sourceId);
    if (own) own.push(span);
    else bySource.set(span.sourceId, [span]);
  }
  return [...bySource]
    .sort(([a], [b]) => a - b)
    .flatMap(([sourceId, own]) =>
      groupIntervals(own, ({ fromMs, toMs }) => [fromMs, toMs], { gap: MS_PER_DAY }).map(({ from, to }) => ({
        sourceId,
        fromMs: from,
        toMs: to,
      })),
    );
}

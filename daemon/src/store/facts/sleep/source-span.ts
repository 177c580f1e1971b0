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

/** Sessions of years become objects of the main thread a few at a time. */
const MOST_TOGETHER = 5_000;

/** As {@link joinSpans}, with at most {@link MOST_TOGETHER} spans in each. Those of one source are in the order of their start. */
export function spansToAssemble(spans: readonly SourceSpan[]): SourceSpan[] {
  const ordered = spans.toSorted((a, b) => a.sourceId - b.sourceId || a.fromMs - b.fromMs);
  const joined: SourceSpan[] = [];
  for (let from = 0; from < ordered.length; from += MOST_TOGETHER) {
    for (const span of joinSpans(ordered.slice(from, from + MOST_TOGETHER))) joined.push(span);
  }
  return joined;
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

import { groupIntervals, MS_PER_DAY } from '@healthd/model';

export interface SourceSpan {
  sourceId: number;
  fromMs: number;
  toMs: number;
}

/** A new or changed stage. */
export interface ChangedStage extends SourceSpan {
  isNew: boolean;
}

/** Number of changed spans that are assembled together. Limits the objects on the main thread. */
const MOST_TOGETHER = 5_000;

/**
 * Number of spans that are read separately. Additional spans are joined, because each span costs several statements.
 */
const MOST_READ = 100;

/**
 * Returns the spans to assemble, by source and start. Joins spans of a source that are within a day of each other, so
 * that consecutive nights are assembled together. If there are still too many spans, joins the nearest spans.
 */
export function spansToAssemble(spans: readonly SourceSpan[]): SourceSpan[] {
  const ordered = spans.toSorted((a, b) => a.sourceId - b.sourceId || a.fromMs - b.fromMs);
  const joined: SourceSpan[] = [];
  for (let from = 0; from < ordered.length; from += MOST_TOGETHER) {
    const near = joinSpans(ordered.slice(from, from + MOST_TOGETHER));
    const few = near.length <= MOST_READ ? near : joinSpans(near, gapFor(near, MOST_READ));
    for (const span of few) joined.push(span);
  }
  return joined;
}

/** Returns the gap at which joining each source's spans leaves about `count` spans. @param spans by source and start */
function gapFor(spans: readonly SourceSpan[], count: number): number {
  const gaps = spans.flatMap((span, at) => {
    const next = spans[at + 1];
    return next?.sourceId === span.sourceId ? [next.fromMs - span.toMs] : [];
  });
  gaps.sort((a, b) => a - b);
  return gaps[Math.min(gaps.length, spans.length - count) - 1] ?? 0;
}

/** Joins each source's spans that are at most `gap` milliseconds apart. Returns them by source and start. */
export function joinSpans(spans: readonly SourceSpan[], gap = MS_PER_DAY): SourceSpan[] {
  const bySource = new Map<number, SourceSpan[]>();
  for (const span of spans) {
    const own = bySource.get(span.sourceId);
    if (own) own.push(span);
    else bySource.set(span.sourceId, [span]);
  }
  return [...bySource]
    .sort(([a], [b]) => a - b)
    .flatMap(([sourceId, own]) =>
      groupIntervals(own, ({ fromMs, toMs }) => [fromMs, toMs], { gap }).map(({ from, to }) => ({
        sourceId,
        fromMs: from,
        toMs: to,
      })),
    );
}

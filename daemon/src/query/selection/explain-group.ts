import type { GroupExplanation } from '@healthd/schemas';
import type { Priorities } from '../../priorities/index.js';
import { ruleSource } from '../../store/facts/index.js';
import { instantText, sumValue } from '../presentation.js';
import { type SourceMap, sourceMetadata, sourceOrNull } from '../sources.js';
import type { Candidate, Selection } from './select-source.js';

/** Sources and priorities of a selection. */
export interface ExplainContext {
  sources: SourceMap;
  priorities: Priorities;
}

interface ExplainedGroup<C extends Candidate> {
  group: string;
  /** Default: the first figure. */
  leadFigure?: string;
  unit: string;
  /** Divisor that converts lead figures to `unit`. */
  divisor?: number;
  selection: Pick<Selection<C>, 'winner' | 'placed'>;
  /** Paths of the group's figures in the summary's row. */
  figures: readonly [string, ...string[]];
  /** The summary's row. */
  shown: object;
  /** The row with merged sources. */
  shownIfMerged?: object;
  /** Returns the row that the summary would show if this candidate had won the group. */
  shownIf: (candidate: C) => object;
  measuredAt?: (candidate: C) => Date | null;
  /** Minutes that a candidate recorded while the winner recorded nothing. */
  minutesMissed?: (candidate: C) => number;
}

/** Explains one group of a summary from the selection of its row. */
export function explainGroup<C extends Candidate>(
  group: ExplainedGroup<C>,
  { sources, priorities }: ExplainContext,
): GroupExplanation {
  const { selection, divisor = 1, figures, shown, shownIf, measuredAt, minutesMissed } = group;
  const byIdentity = new Map([...sources.values()].map((row) => [ruleSource(row).identity, row]));
  const sourceOf = (candidate: Candidate) => byIdentity.get(candidate.source.identity);
  const shownFigures = figuresOf(shown, figures);
  const merged = figuresOf(group.shownIfMerged ?? shown, figures);
  const winner = selection.winner && sourceOf(selection.winner);
  return {
    group: group.group,
    lead_figure: group.leadFigure ?? figures[0],
    unit: group.unit,
    winner: winner?.id ?? null,
    source: sourceOrNull(winner),
    figures: shownFigures,
    ...(figures.some((path) => merged[path] !== shownFigures[path]) && { merged_figures: merged }),
    candidates: selection.placed.flatMap(({ candidate, reason }, at) => {
      const source = sourceOf(candidate);
      const instant = measuredAt?.(candidate);
      if (!source) return [];
      return [
        {
          source_id: source.id,
          source: sourceMetadata(source),
          rank: at + 1,
          value: candidate.lead === null ? null : sumValue(candidate.lead / divisor),
          measured_at: instant ? instantText(instant) : null,
          provider_priority: priorities.provider(candidate.source),
          device_type_priority: priorities.deviceType(candidate.source),
          lost_by: reason,
          ...(minutesMissed && { minutes_missed: minutesMissed(candidate) }),
          figures: figuresOf(shownIf(candidate), figures),
        },
      ];
    }),
  };
}

/** Returns the figures at paths of a row, such as `stages.deep_minutes`. */
export function figuresOf(row: object, paths: readonly string[]): GroupExplanation['figures'] {
  return Object.fromEntries(paths.map((path) => [path, figureAt(row, path)]));
}

function figureAt(row: object, path: string): number | string | null {
  const value = path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | null | undefined)?.[name], row);
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

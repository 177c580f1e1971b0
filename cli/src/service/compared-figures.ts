import type { SourceMetadata } from '@healthd/schemas';
import { sourceText } from '../output/data-shapes.js';

type Figure = string | number | null;

/** Current and new value of a figure of one day or night. */
export interface ComparedFigure {
  date: string;
  /** Dotted path of the field, such as `heart_rate.avg_bpm`. `source` if only the source differs. */
  figure: string;
  before: Figure;
  after: Figure;
  source_before: string;
  source_after: string;
}

interface ComparedRow {
  date: string;
  /** Null if the sleep currently has another date. `after` is null if the sleep would move to another date. */
  before: { source: SourceMetadata } | null;
  after: { source: SourceMetadata } | null;
}

/** Returns one row for each figure that differs, and at least one row. */
export function comparedFigures({ date, before, after }: ComparedRow): ComparedFigure[] {
  const [sourceBefore, sourceAfter] = [before, after].map((row) => (row ? sourceText(row.source) : ''));
  const sources = { source_before: sourceBefore ?? '', source_after: sourceAfter ?? '' };
  const [now, then] = [figuresOf(before ?? {}), figuresOf(after ?? {})];
  const rows = [...new Set([...now.keys(), ...then.keys()])].flatMap((figure) => {
    const values = { before: now.get(figure) ?? null, after: then.get(figure) ?? null };
    return values.before === values.after ? [] : [{ date, figure, ...values, ...sources }];
  });
  return rows.length > 0 ? rows : [{ date, figure: 'source', before: null, after: null, ...sources }];
}

const NO_FIGURES = ['date', 'source', 'sources'];

/** Returns the figures of a row by dotted path. Omits the sources of the figures. */
function figuresOf(row: object, prefix = ''): Map<string, Figure> {
  const figures = new Map<string, Figure>();
  for (const [name, value] of Object.entries(row) as [string, unknown][]) {
    const path = `${prefix}${name}`;
    if (NO_FIGURES.includes(path) || Array.isArray(value)) continue;
    if (typeof value === 'object' && value !== null) {
      for (const [inner, figure] of figuresOf(value, `${path}.`)) figures.set(inner, figure);
    } else figures.set(path, typeof value === 'number' || value === null ? value : String(value));
  }
  return figures;
}

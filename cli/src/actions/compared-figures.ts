import type { SourceMetadata } from '@healthd/schemas';
import { sourceText } from './data-shapes.js';

type Figure = string | number | null;

/** A figure of one day or night as it is and as it would be. */
export interface ComparedFigure {
  date: string;
  /** Dotted path of the field, such as `heart_rate.avg_bpm`; `source` where no figure but the source differs. */
  figure: string;
  before: Figure;
  after: Figure;
  source_before: string;
  source_after: string;
}

interface ComparedRow {
  date: string;
  before: { source: SourceMetadata };
  after: { source: SourceMetadata };
}

/** One row for each figure that differs, and at least one. */
export function comparedFigures({ date, before, after }: ComparedRow): ComparedFigure[] {
  const sources = { source_before: sourceText(before.source), source_after: sourceText(after.source) };
  const [now, then] = [figuresOf(before), figuresOf(after)];
  const rows = [...new Set([...now.keys(), ...then.keys()])].flatMap((figure) => {
    const values = { before: now.get(figure) ?? null, after: then.get(figure) ?? null };
    return values.before === values.after ? [] : [{ date, figure, ...values, ...sources }];
  });
  return rows.length > 0 ? rows : [{ date, figure: 'source', before: null, after: null, ...sources }];
}

/** Figures under their dotted paths, without where they come from. */
function figuresOf(row: object, prefix = ''): Map<string, Figure> {
  const figures = new Map<string, Figure>();
  for (const [name, value] of Object.entries(row) as [string, unknown][]) {
    const path = `${prefix}${name}`;
    if (path === 'source' || Array.isArray(value)) continue;
    if (typeof value === 'object' && value !== null) {
      for (const [inner, figure] of figuresOf(value, `${path}.`)) figures.set(inner, figure);
    } else figures.set(path, typeof value === 'number' || value === null ? value : String(value));
  }
  return figures;
}

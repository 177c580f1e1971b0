import { type FigureTable, isMet, type Verdict } from './scenario.js';

/** Formats a table as lines: the first column left-aligned, figures right-aligned. */
export function tableLines({ title, rows }: FigureTable): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return ['', title, ...rows.map(line)];
}

export function verdictLine(verdict: Verdict): string {
  const { what, figure, digits, unit, bound, target } = verdict;
  const word = isMet(verdict) ? 'met   ' : 'MISSED';
  return `${word}  ${what}: ${figure.toFixed(digits)}${unit} (target: at ${bound} ${target}${unit})`;
}

/** Returns the median of the values, or the mean of the two middle values if their number is even. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Returns the quantile of the values, by the nearest rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN;
}

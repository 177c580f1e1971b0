import type { Machine } from './machine.js';

/** Options of a scenario on the command line. */
export interface BenchOptions {
  /** Sizes of generated export files. */
  exportBytes: number[];
  /** Numbers of stored samples for the reads. */
  samples: number[];
  /** Repetitions per size; undefined uses the scenario's default. */
  repeat?: number;
  /** True to keep generated files for the next run. */
  keep: boolean;
  /** Folder for CPU profiles of the daemon. */
  profileDir?: string;
}

/** One figure and its target. */
export interface Verdict {
  what: string;
  figure: number;
  /** Number of decimal places to display. */
  digits: number;
  unit: string;
  /** Direction of the target. `least`: the figure must reach it. `most`: the figure must not exceed it. */
  bound: 'least' | 'most';
  target: number;
}

/** One table of figures: the first row contains the column names. */
export interface FigureTable {
  title: string;
  rows: string[][];
}

export interface ScenarioResult {
  tables: FigureTable[];
  verdicts: Verdict[];
  /** All figures, with units in their names, for `--json`. */
  figures: unknown;
}

/** A measurement. To add a scenario, create a folder with it and add a line to `scenarios.ts`. */
export interface Scenario {
  name: string;
  help: string;
  run(options: BenchOptions, machine: Machine): Promise<ScenarioResult>;
}

export function isMet({ bound, figure, target }: Verdict): boolean {
  return bound === 'least' ? figure >= target : figure <= target;
}

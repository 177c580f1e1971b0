import type { Machine } from './machine.js';

/** What the command line asks of a scenario. */
export interface BenchOptions {
  /** Sizes of generated export files. */
  exportBytes: number[];
  /** Numbers of samples that are stored to be read. */
  samples: number[];
  /** Repetitions of a size; undefined leaves it to the scenario. */
  repeat?: number;
  /** Generated files stay for the next run. */
  keep: boolean;
  /** Folder for CPU profiles of the daemon. */
  profileDir?: string;
}

/** One figure against its target. */
export interface Verdict {
  what: string;
  figure: number;
  /** Digits behind the point when shown. */
  digits: number;
  unit: string;
  /** `least`: the figure must reach the target; `most`: it must not pass it. */
  bound: 'least' | 'most';
  target: number;
}

/** One table of figures: the first row names the columns. */
export interface FigureTable {
  title: string;
  rows: string[][];
}

export interface ScenarioResult {
  tables: FigureTable[];
  verdicts: Verdict[];
  /** All figures with their units in their names, for `--json`. */
  figures: unknown;
}

/** A thing to measure: a new one is a folder with a scenario and a line in `scenarios.ts`. */
export interface Scenario {
  name: string;
  help: string;
  run(options: BenchOptions, machine: Machine): Promise<ScenarioResult>;
}

export function isMet({ bound, figure, target }: Verdict): boolean {
  return bound === 'least' ? figure >= target : figure <= target;
}

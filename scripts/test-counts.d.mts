export interface Named {
  name: string;
  reason?: string;
}
export interface FileCounts {
  file: string;
  passed: number;
  failures: Named[];
  skipped: Named[];
}
export interface Run {
  files: FileCounts[];
  outside: Named[];
}
export interface Counts {
  passed: number;
  failures: Named[];
  skipped: Named[];
  flaky?: Named[];
}
export function countsOf(run: Run): Counts;
export function filesToRepeat(run: Run): string[];
export function patternOfFailures(run: Run): string | undefined;
export function withRepeatedTests(first: Run, second: Run): Run;
export function countsAfterRepeat(first: Run, second: Run): Counts;
export function summaryOf(counts: Counts): string;

/** Options of `healthctl import`. */
export interface ImportOptions {
  user: string;
  wait: boolean;
  timeout?: number;
  replace?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  /** So many files at the same time. */
  concurrency: number;
  /** Where files that could not be imported are listed. */
  failures?: string;
}

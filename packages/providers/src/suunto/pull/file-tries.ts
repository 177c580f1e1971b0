/** How many readings request a file that the vendor does not give for now. */
const TRIES = 3;
/** More workouts whose files fail at a time are forgotten, the first ones first: they have all their tries again. */
const MAX_WORKOUTS = 1_000;

/** Failures by the key of the workout. Nothing of them is kept when the service ends. */
const failures = new Map<string, number>();

/** Counts a failure that may pass. @returns whether the file is to be requested again */
export function isFileTriedAgain(key: string): boolean {
  const count = (failures.get(key) ?? 0) + 1;
  const [first] = failures.keys();
  if (first !== undefined && failures.size >= MAX_WORKOUTS) failures.delete(first);
  failures.set(key, count);
  return count < TRIES;
}

/** The file was given, or its workout is stored without it. */
export function forgetFileTries(key: string): void {
  failures.delete(key);
}

/** The package's only function that is used here. The package has no types. */
declare module 'fs-native-extensions' {
  /**
   * Takes an exclusive lock that belongs to the open file. A process that inherits the descriptor holds the lock too.
   * The kernel releases it when the last process closes the file or dies. Returns false if another process holds the
   * lock.
   */
  export function tryLock(fd: number): boolean;
}

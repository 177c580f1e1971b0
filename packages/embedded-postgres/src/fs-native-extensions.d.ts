/** The one function of the package that is used; it brings no types of its own. */
declare module 'fs-native-extensions' {
  /**
   * An exclusive lock that belongs to the open file: a process that inherits the descriptor holds it too, and the kernel
   * lets go when the last one closes it or dies. False while someone else holds it.
   */
  export function tryLock(fd: number): boolean;
}

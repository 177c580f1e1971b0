import type { Cli } from '../cli.js';

/** Binds a command's action: it is called with what it works with, then its arguments and options. */
export type Bind = <A extends unknown[]>(
  action: (cli: Cli, ...input: A) => Promise<void>,
) => (...input: A) => Promise<void>;

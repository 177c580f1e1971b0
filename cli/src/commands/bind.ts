import type { Cli } from '../cli.js';

/** Binds a command's action, which gets the context, then the arguments and options. */
export type Bind = <A extends unknown[]>(
  action: (cli: Cli, ...input: A) => Promise<void>,
) => (...input: A) => Promise<void>;

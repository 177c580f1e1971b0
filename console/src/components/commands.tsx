import type { DeclaredRoute } from '@healthd/contract';
import { curlOf, type ReadInput } from '../shell-command.js';
import { Command } from './command.js';

interface CommandsProps<R extends DeclaredRoute> {
  /** Equivalent `healthctl` command. */
  healthctl: string;
  /** API route that returns the displayed data, and the route's input. */
  route: R;
  input: ReadInput<R>;
}

/** Shows the equivalent `healthctl` and curl commands. */
export function Commands<R extends DeclaredRoute>({ healthctl, route, input }: CommandsProps<R>) {
  return (
    <>
      <Command line={healthctl} />
      <Command line={curlOf(location.origin, route, input)} />
    </>
  );
}

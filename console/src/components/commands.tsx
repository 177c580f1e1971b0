import type { DeclaredRoute } from '@healthd/contract';
import { curlOf, type ReadInput } from '../shell-command.js';
import { Command } from './command.js';

interface CommandsProps<R extends DeclaredRoute> {
  /** The line of `healthctl` that shows the same. */
  healthctl: string;
  /** The route whose answer the page shows, and what it is called with. */
  route: R;
  input: ReadInput<R>;
}

/** What is on the screen, for a shell: by the command line, and as a call of the API. */
export function Commands<R extends DeclaredRoute>({ healthctl, route, input }: CommandsProps<R>) {
  return (
    <>
      <Command line={healthctl} />
      <Command line={curlOf(location.origin, route, input)} />
    </>
  );
}

/** Exit codes for scripts. Their meaning never changes. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  denied: 4,
  unreachable: 5,
  timedOut: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Text of `healthctl help exit-codes`, one row per code. */
export const EXIT_CODES: readonly { code: ExitCode; meaning: string }[] = [
  { code: EXIT.done, meaning: 'Done.' },
  { code: EXIT.failed, meaning: 'Failed: the service or this machine reported an error.' },
  { code: EXIT.usage, meaning: 'Usage error: unknown command or option, or invalid value.' },
  { code: EXIT.partial, meaning: 'Finished, but some items were rejected or some data types failed.' },
  { code: EXIT.denied, meaning: 'Not logged in, or the service rejected the credential.' },
  { code: EXIT.unreachable, meaning: 'The service is unreachable.' },
  { code: EXIT.timedOut, meaning: 'Timed out waiting. The run continues in the service.' },
  { code: EXIT.interrupted, meaning: 'Interrupted with Ctrl-C.' },
];

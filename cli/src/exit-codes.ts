/** What a script may rely on. The numbers never change their meaning. */
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

/** Text of `healthctl help exit-codes`, one row a code. */
export const EXIT_CODES: readonly { code: ExitCode; meaning: string }[] = [
  { code: EXIT.done, meaning: 'Done.' },
  { code: EXIT.failed, meaning: 'Failed: the service or this machine could not do it.' },
  { code: EXIT.usage, meaning: 'Wrong usage: unknown command or option, or a value that is not allowed.' },
  { code: EXIT.partial, meaning: 'Finished, but some items were rejected or some data types failed.' },
  { code: EXIT.denied, meaning: 'Not logged in, or the credential is not accepted here.' },
  { code: EXIT.unreachable, meaning: 'The service does not answer at its address.' },
  { code: EXIT.timedOut, meaning: 'Gave up waiting; the run itself goes on.' },
  { code: EXIT.interrupted, meaning: 'Interrupted with Ctrl-C.' },
];

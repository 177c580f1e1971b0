import { listUserSyncRuns } from '@healthd/contract';
import type { SyncRunSummary, SyncStatusEvent } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { Outcome } from '../outcome.js';
import { syncEvents } from '../service/event-stream.js';
import { eventLine } from './event-line.js';
import { emitterOf } from './run-progress.js';

/** Older runs of a user have ended long ago. */
const LOOKED_AT = 200;

type State = Pick<SyncRunSummary, 'run_id' | 'provider' | 'status'>;

export interface WatchUserOptions {
  user: string;
  /** Goes on when nothing is under way. */
  follow?: boolean;
}

/** `healthctl sync watch`: the steps of all runs of a user, until none is under way. @throws Outcome as they ended */
export async function watchUser(cli: Cli, { user, follow }: WatchUserOptions): Promise<void> {
  const emit = emitterOf(cli);
  const client = await cli.client();
  const left = new AbortController();
  const signal = AbortSignal.any([cli.signal, left.signal]);
  const runs = new Map<string, State>();
  let steps = 0;
  /** The number of the last step of each run: an answer that was asked for before it is older. */
  const lastSteps = new Map<string, number>();
  const resume = `healthctl sync watch --user ${user}`;
  cli.interrupt.parting = `What is under way goes on in the service. Go on watching: ${resume}`;
  const isQuiet = () => !follow && [...runs.values()].every(({ status }) => status !== 'in_progress');
  // Runs are read after the stream is open, so that no step is missed in between.
  const look = async () => {
    const asked = steps;
    const known = await client.call(listUserSyncRuns, {
      params: { user_id: user },
      query: { limit: LOOKED_AT },
      signal,
    });
    for (const run of known) {
      const isOlder = (lastSteps.get(run.run_id) ?? 0) > asked;
      if (!isOlder && (run.status === 'in_progress' || runs.has(run.run_id))) runs.set(run.run_id, run);
    }
    if (isQuiet()) left.abort();
  };
  let looking: Promise<void> | undefined;
  const onOpen = () => {
    looking = look().catch((error: unknown) => left.abort(error));
  };
  try {
    for await (const event of syncEvents(client, { user, replay: 0, signal, resume, onOpen })) {
      runs.set(event.run_id, event);
      lastSteps.set(event.run_id, ++steps);
      await emit({ ...event, event: 'progress' });
      await sayStep(cli, event);
      await looking;
      if (isQuiet()) break;
    }
  } catch (error) {
    if (cli.signal.aborted || !left.signal.aborted) throw error;
    if (left.signal.reason instanceof Error && left.signal.reason.name !== 'AbortError') throw left.signal.reason;
  } finally {
    left.abort();
  }
  cli.interrupt.parting = undefined;
  const states = [...runs.values()].map(({ run_id, provider, status }) => ({ run_id, provider, status }));
  await emit({ event: 'result', user_id: user, runs: states });
  if (states.length === 0) cli.hint(`Nothing is under way. Read what is new: healthctl sync run ${user}`);
  if (states.some(({ status }) => status === 'failed' || status === 'cancelled')) throw new Outcome(EXIT.failed);
  if (states.some(({ status }) => status === 'partial')) throw new Outcome(EXIT.partial);
}

async function sayStep(cli: Cli, event: SyncStatusEvent): Promise<void> {
  if (cli.forPeople) await cli.sink.write(eventLine(cli, event));
}

import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type DecisionName, decisionOf } from '../decide/decisions.js';
import { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { DecideRequest, DecideResponse } from './decide-threads.js';

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread only.');

// On Linux this sets only the thread's priority. Requests and small batches have precedence.
if (process.platform === 'linux') setPriority(5);

port.on('message', ({ name, input, timeline }: DecideRequest) => {
  let response: DecideResponse;
  try {
    response = { output: decide(name, input as never, OffsetTimeline.of(timeline)) };
  } catch (error) {
    response = { error: error instanceof Error ? error : new Error('A decision failed.') };
  }
  port.postMessage(response);
});

function decide<Name extends DecisionName>(name: Name, input: never, timeline: OffsetTimeline): unknown {
  const work = decisionOf(name).decide(input, timeline);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

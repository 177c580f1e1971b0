import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type DecisionName, decisionOf } from '../decide/decisions.js';
import { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { DecideRequest, DecideResponse } from './decide-threads.js';
import { type Portion, PortionedValue, portionsOf } from './portions.js';

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread only.');

// On Linux this sets only the thread's priority. Requests and small batches have precedence.
if (process.platform === 'linux') setPriority(5);

const input = new PortionedValue();
let output: Iterator<Portion, void> | undefined;
/** The output's next portion, which is sent at the next request. */
let following: Portion | undefined;

port.on('message', (request: DecideRequest) => {
  try {
    if ('input' in request) return input.add(request.input);
    if ('name' in request) {
      output = portionsOf(decide(request.name, input.take() as never, OffsetTimeline.of(request.timeline)));
      following = nextPortion();
    }
    const portion = following as Portion;
    following = nextPortion();
    send({ output: portion, isLast: following === undefined });
  } catch (error) {
    send({ error: error instanceof Error ? error : new Error('A decision failed.') });
  }
});

function nextPortion(): Portion | undefined {
  const step = output?.next();
  return step && !step.done ? step.value : undefined;
}

function send(response: DecideResponse): void {
  port?.postMessage(response);
}

function decide<Name extends DecisionName>(name: Name, input: never, timeline: OffsetTimeline): unknown {
  const work = decisionOf(name).decide(input, timeline);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

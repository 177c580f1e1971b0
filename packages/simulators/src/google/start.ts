import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, json } from '../answer.js';
import { handleControl } from '../control-route.js';
import { listenOnLoopback, readCall, send, truncated } from '../vendor/index.js';
import { quotaAnswer } from './api.js';
import { failureAnswer } from './api-failure.js';
import type { GoogleControl } from './control.js';
import { AnswerInstead, type Call } from './exchange.js';
import { damaged, faultAnswer } from './fault-answers.js';
import { localControl } from './local-control.js';
import type { GoogleSimulatorOptions } from './options.js';
import { describeCall, roleOf, route } from './routes.js';
import { Service } from './service.js';
import type { GoogleSimulator } from './simulator.js';

/** Starts a simulated Google Health service on a loopback port. */
export async function startGoogleSimulator(options: GoogleSimulatorOptions = {}): Promise<GoogleSimulator> {
  const service = new Service(options);
  const control = localControl(service);
  const { origin, close } = await listenOnLoopback(options.port, (request, response) =>
    answerRequest(service, control, request, response),
  );
  service.origin = origin;
  return {
    ...facts(service),
    control,
    async close() {
      service.notifier.close();
      await close();
    },
  };
}

function facts(service: Service) {
  const { projectNumber, projectId } = service;
  const { id, secret } = service.client;
  return { urls: service.urls(), client: { id, secret }, projectNumber, projectId };
}

async function answerRequest(
  service: Service,
  control: GoogleControl,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call: Call = await readCall(request, roleOf);
  if (call.role === 'control') {
    const asked = call.path === '/control' ? json(200, facts(service)) : await handleControl(control, call);
    return send(response, asked);
  }
  describeCall(service, call);
  // A request over the quota uses up no fault.
  const over = call.role === 'api' ? quotaAnswer(service, call) : undefined;
  if (!over) call.fault = service.faults.strike(call);
  const answer = over ?? (await answerOf(service, call));
  const dropped = call.fault?.kind === 'dropped';
  service.requests.add(call, dropped ? 0 : answer.status);
  if (dropped) response.destroy();
  else if (call.fault?.kind === 'truncated') send(response, truncated(answer));
  else if (call.fault?.kind === 'slow') await sendSlowly(response, answer, call.fault.delayMs);
  else send(response, answer);
}

async function answerOf(service: Service, call: Call): Promise<Answer> {
  try {
    const early = call.fault && faultAnswer(call.fault, service.clock.nowMs());
    if (early) return early;
    const answer = await route(service, call);
    return call.fault ? damaged(call.fault, answer) : answer;
  } catch (error) {
    if (error instanceof AnswerInstead) return error.answer;
    console.error(error);
    return failureAnswer(500, { message: 'The simulator failed.' });
  }
}

async function sendSlowly(response: ServerResponse, { status, headers, body }: Answer, delayMs: number): Promise<void> {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1));
  await sleep(delayMs);
  response.end(bytes.subarray(bytes.length >> 1));
}

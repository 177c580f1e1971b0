import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, json } from '../answer.js';
import { handleControl } from '../control-route.js';
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

const BODY_LIMIT = 64 * 1024 * 1024;

/** Starts a simulated Google Health service on a loopback port. */
export async function startGoogleSimulator(options: GoogleSimulatorOptions = {}): Promise<GoogleSimulator> {
  const service = new Service(options);
  const control = localControl(service);
  const server = createServer((request, response) => {
    answerRequest(service, control, request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 5000;
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...facts(service),
    control,
    async close() {
      service.notifier.close();
      server.close();
      server.closeAllConnections();
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
  const call = await readCall(request);
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
  else if (call.fault?.kind === 'truncated') sendTruncated(response, answer);
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

async function readCall(request: IncomingMessage): Promise<Call> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw new Error('body too large');
    chunks.push(chunk);
  }
  return {
    method: request.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
    role: roleOf(url.pathname),
  };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Half of the body under a length that fits it: valid HTTP, broken JSON. */
function sendTruncated(response: ServerResponse, answer: Answer): void {
  send(response, { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) });
}

async function sendSlowly(response: ServerResponse, { status, headers, body }: Answer, delayMs: number): Promise<void> {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1));
  await sleep(delayMs);
  response.end(bytes.subarray(bytes.length >> 1));
}

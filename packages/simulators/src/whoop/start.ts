import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, json } from '../answer.js';
import { handleControl } from '../control-route.js';
import { answerApi, bearer } from './api.js';
import type { Call, Role } from './call.js';
import type { WhoopControl } from './control.js';
import { faultAnswer, type WhoopFault, withRepeatedToken } from './faults.js';
import { localControl } from './local-control.js';
import { authorize, token } from './oauth.js';
import type { WhoopSimulatorOptions } from './options.js';
import { Service } from './service.js';
import type { WhoopSimulator } from './simulator.js';

const BODY_LIMIT = 16 * 1024 * 1024;

/** Starts a simulated WHOOP on a loopback port. */
export async function startWhoopSimulator(options: WhoopSimulatorOptions = {}): Promise<WhoopSimulator> {
  const service = new Service(options);
  const control = localControl(service);
  let facts: Pick<WhoopSimulator, 'urls' | 'client'> | undefined;
  const server = createServer((request, response) => {
    answerRequest(service, control, facts, request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 5000;
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urls = {
    origin,
    authorize: `${origin}/oauth/oauth2/auth`,
    token: `${origin}/oauth/oauth2/token`,
    api: `${origin}/developer`,
  };
  facts = { urls, client: { ...service.client } };
  return {
    ...facts,
    control,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answerRequest(
  service: Service,
  control: WhoopControl,
  facts: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = await readCall(request);
  if (call.role === 'control') {
    return send(response, call.path === '/control' ? json(200, facts) : await handleControl(control, call));
  }
  call.account = service.grants.opened(bearer(call))?.account;
  const taken = call.role === 'api' ? service.limit.take() : undefined;
  // A request over the limit uses up no fault.
  const fault = taken?.refusal ? undefined : service.faults.strike(call);
  const answer = taken?.refusal ?? answerOf(service, call, fault);
  const { method, path, role, account } = call;
  const dropped = fault?.kind === 'dropped';
  service.requests.push({ at: service.clock.now(), method, path, role, account, status: dropped ? 0 : answer.status });
  if (dropped) return void response.destroy();
  const headers = { ...taken?.headers, ...answer.headers };
  const body = fault?.kind === 'truncated' ? answer.body.slice(0, answer.body.length >> 1) : answer.body;
  send(response, { status: answer.status, headers, body });
}

function answerOf(service: Service, call: Call, fault: WhoopFault | undefined): Answer {
  const early = fault && faultAnswer(fault);
  if (early) return early;
  const answer = handlerOf(call.role)(service, call);
  return fault?.kind === 'repeated_token' ? withRepeatedToken(call, answer) : answer;
}

function handlerOf(role: Role): (service: Service, call: Call) => Answer {
  if (role === 'authorize') return authorize;
  return role === 'token' ? token : answerApi;
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

function roleOf(path: string): Role {
  if (path === '/control' || path.startsWith('/control/')) return 'control';
  if (path === '/oauth/oauth2/auth') return 'authorize';
  return path === '/oauth/oauth2/token' ? 'token' : 'api';
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(status === 204 ? undefined : body);
}

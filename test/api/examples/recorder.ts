import { declaredRoutes, type RouteDeclaration } from '@healthd/schemas';

import type { Answered } from '../../support/service.js';
import type { WholeService } from '../../support/whole-service.js';

/** The recording of one operation: its first request body, and the first response of each status. */
export interface Recorded {
  body?: unknown;
  answers?: Record<string, unknown>;
}

/** Input of a call, except the credential. */
export interface Asked {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

type Body = Answered['body'];
interface Came {
  body: Body;
  headers: Headers;
}

const ROUTES = new Map(declaredRoutes.map((route) => [route.id, route]));

/** Calls operations of a running service by ID and records requests and responses. */
export class Recorder {
  readonly recorded: Record<string, Recorded> = {};
  /** Access token for developer routes. */
  developerToken = '';
  /** Access token for the phone routes. */
  deviceToken = '';

  constructor(readonly service: WholeService) {}

  /** Calls an operation and returns its response body. Fails unless the status is the declared success. */
  async call(id: string, input: Asked = {}): Promise<Body> {
    return (await this.answerOf(id, input)).body;
  }

  /** Like `call`, with the response headers. */
  async answerOf(id: string, input: Asked = {}): Promise<Came> {
    const route = this.#route(id);
    const response = await this.#send(route, input);
    const text = await response.text();
    const successes = [route.status, ...(route.furtherAnswers ?? []).map(({ status }) => status)];
    if (!successes.includes(response.status)) throw new Error(`${id} was answered with ${response.status}: ${text}`);
    const isJson = response.headers.get('content-type')?.includes('application/json');
    const body: unknown = isJson ? JSON.parse(text) : undefined;
    this.#keep(id, response.status, input.body, body);
    return { body, headers: response.headers };
  }

  /** Records the first event of an endless stream. */
  async firstEventOf(id: string, input: Asked): Promise<void> {
    const stop = new AbortController();
    const response = await this.#send(this.#route(id), input, stop.signal);
    const chunks = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
    let text = '';
    for await (const chunk of chunks) {
      text += chunk;
      const [event] = /^(?:id|event): .*?\n\n/ms.exec(text) ?? [];
      if (event === undefined) continue;
      this.#keep(id, response.status, undefined, event);
      break;
    }
    stop.abort();
  }

  /** Returns the body of an error response. */
  async rejectionOf(id: string, input: Asked): Promise<Body> {
    const response = await this.#send(this.#route(id), input);
    if (response.ok) throw new Error(`${id} was answered with ${response.status}`);
    return response.json();
  }

  #route(id: string): RouteDeclaration {
    const route = ROUTES.get(id);
    if (!route) throw new Error(`no operation ${id} is declared`);
    return route;
  }

  #keep(id: string, status: number, sent: unknown, response: unknown): void {
    const recording = this.recorded[id] ?? {};
    if (sent !== undefined) recording.body ??= sent;
    if (response !== undefined) recording.answers = { [status]: response, ...recording.answers };
    if (Object.keys(recording).length > 0) this.recorded[id] = recording;
  }

  #send(route: RouteDeclaration, { path = {}, query, body, headers }: Asked, signal?: AbortSignal): Promise<Response> {
    const filled = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => path[name] ?? '');
    const sent = new Headers({ ...this.#credential(route), Accept: 'application/json', ...headers });
    this.service.watch.knowHeaders(sent);
    this.service.watch.knowBody(body);
    const address = `${this.service.url}${filled}${query ? `?${new URLSearchParams(query)}` : ''}`;
    const { content, type } = encoded(route, body);
    if (type) sent.set('Content-Type', type);
    return fetch(address, {
      method: route.method,
      headers: sent,
      body: content,
      redirect: 'manual',
      ...(signal && { signal }),
    });
  }

  #credential({ auth }: RouteDeclaration): Record<string, string> {
    if (auth === 'developer') return { Authorization: `Bearer ${this.developerToken}` };
    if (auth === 'device') return { Authorization: `Bearer ${this.deviceToken}` };
    return auth === 'key' || auth === 'sdk' ? { [this.service.apiKeyHeader]: this.service.apiKey } : {};
  }
}

function encoded(
  route: RouteDeclaration,
  body: unknown,
): { content: NonNullable<RequestInit['body']> | null; type?: string } {
  if (body === undefined) return { content: null };
  const fields = Object.entries(body as Record<string, string>);
  if (route.bodyType === 'form') return { content: new URLSearchParams(fields) };
  if (!route.uploadPart) return { content: JSON.stringify(body), type: 'application/json' };
  const form = new FormData();
  for (const [name, text] of fields) {
    if (name === route.uploadPart) form.set(name, new Blob([text]), 'export.xml');
    else form.set(name, text);
  }
  return { content: form };
}

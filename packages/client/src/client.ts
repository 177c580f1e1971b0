import type { DeclaredRoute, RouteSpec } from '@healthd/contract';
import type { Passed, ResponseOf, SchemasOf } from '@healthd/schemas';
import { errorOf, UnreachableError } from './errors.js';
import { fetchWithin, unlessAborted } from './fetch-within.js';

export interface ClientOptions {
  /** URL of the service without a path, e.g. `http://localhost:8000`. */
  baseUrl: string;
  /** Returns headers that authorize a call of this route. */
  authorize(route: RouteSpec): Promise<Record<string, string>>;
  /** Called before and after every request, for `--debug` and similar. Never receives credentials. */
  observe?(event: { method: string; path: string; status?: number; milliseconds?: number; requestId?: string }): void;
  fetch?: typeof fetch;
  /**
   * Returns the time limit of a route in milliseconds: until the response starts and, for JSON, until it ends.
   * Undefined means no limit. A call that times out throws UnreachableError with `isLate` true.
   */
  answerWithinMs?(route: RouteSpec): number | undefined;
}

/** Parts of a call. Accepts only the parts that the route declares. */
export type CallInput<S> = Parts<S, 'params'> & Parts<S, 'query'> & Parts<S, 'body'> & { signal?: AbortSignal };

type Parts<S, K extends 'params' | 'query' | 'body'> =
  Passed<S, K> extends undefined
    ? { [P in K]?: undefined }
    : Record<never, never> extends Passed<S, K>
      ? { [P in K]?: Passed<S, K> }
      : { [P in K]: Passed<S, K> };

/** Calls declared routes. Input and output have the declared types. */
export class HealthdClient {
  constructor(private readonly options: ClientOptions) {}

  get baseUrl(): string {
    return this.options.baseUrl;
  }

  /** Returns the same client with additional headers on each call. */
  withHeaders(headers: Readonly<Record<string, string>>): HealthdClient {
    const { authorize } = this.options;
    return new HealthdClient({
      ...this.options,
      authorize: async (route) => ({ ...(await authorize(route)), ...headers }),
    });
  }

  /** @throws ApiError if the service rejects the call, UnreachableError if it does not respond */
  async call<R extends DeclaredRoute>(route: R, input: CallInput<SchemasOf<R>>): Promise<ResponseOf<SchemasOf<R>>> {
    const response = await this.send(route, input);
    if (response.status === 204) return undefined as ResponseOf<SchemasOf<R>>;
    try {
      return (await unlessAborted(response.json(), input.signal)) as ResponseOf<SchemasOf<R>>;
    } catch (error) {
      // Keeps a SyntaxError: a response that is not JSON came from another server, such as a proxy.
      if (error instanceof SyntaxError || input.signal?.aborted) throw error;
      throw new UnreachableError(this.baseUrl, error);
    }
  }

  /** Returns the raw response, for streams. @throws like {@link call} */
  async send<R extends DeclaredRoute>(
    route: R,
    input: CallInput<SchemasOf<R>>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const path = pathOf(
      route,
      input.params as Record<string, unknown> | undefined,
      input.query as Record<string, unknown> | undefined,
    );
    const body = bodyOf(route, input.body);
    const response = await this.fetch(route, path, {
      method: route.method,
      headers: { Accept: 'application/json', ...(await this.options.authorize(route)), ...body.headers, ...headers },
      body: body.content,
      signal: input.signal,
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  private async fetch(route: RouteSpec, path: string, init: RequestInit): Promise<Response> {
    const { method } = route;
    const withinMs = this.options.answerWithinMs?.(route);
    const fetcher = this.options.fetch ?? fetch;
    const started = performance.now();
    this.options.observe?.({ method, path });
    try {
      const url = new URL(path, this.options.baseUrl);
      const response =
        withinMs === undefined ? await fetcher(url, init) : await fetchWithin(withinMs, fetcher, url, init);
      const requestId = response.headers.get('x-request-id') ?? undefined;
      this.options.observe?.({
        method,
        path,
        status: response.status,
        milliseconds: performance.now() - started,
        requestId,
      });
      return response;
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new UnreachableError(this.options.baseUrl, error);
    }
  }
}

/** Returns the path of a call with its parameters filled in. */
export function pathOf(route: RouteSpec, params?: Record<string, unknown>, query?: Record<string, unknown>): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name] ?? '')),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(name, String(item));
    }
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

function bodyOf(route: RouteSpec, body: unknown): { content?: string | FormData; headers: Record<string, string> } {
  if (body === undefined) return { headers: {} };
  if (route.uploadPart !== undefined && body instanceof Blob) {
    const content = new FormData();
    content.set(route.uploadPart, body, 'name' in body ? String(body.name) : 'upload');
    return { content, headers: {} };
  }
  if (route.bodyType === 'form') {
    const content = new URLSearchParams(body as Record<string, string>).toString();
    return { content, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
  }
  return { content: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

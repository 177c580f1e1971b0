import type { z } from 'zod';
import { apiFailureSchema, offlineTokensSchema, pointPageSchema } from './response-schemas.js';
import type { GoogleSimulator } from './simulator.js';

const REDIRECT_URI = 'http://localhost:9/callback';
const GROUPS = ['activity_and_fitness', 'health_metrics_and_measurements', 'nutrition', 'sleep', 'settings'];

/** Scopes that the service requests by default. */
export const DEFAULT_SCOPE = `openid email ${GROUPS.map((group) => `https://www.googleapis.com/auth/googlehealth.${group}.readonly`).join(' ')}`;

/** A response. `body` is the parsed JSON, or the text if it is not JSON. */
export class JsonResponse {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly body: unknown,
  ) {}

  /** Returns the body as one of the vendor's resources. Throws if it does not match. */
  as<Schema extends z.ZodType>(schema: Schema): z.infer<Schema> {
    return schema.parse(this.body);
  }

  /** Returns the reason of a Health API error, if any. Throws if the response is not an error. */
  get reason(): string | undefined {
    return this.as(apiFailureSchema).error.details?.[0]?.reason;
  }
}

/** A client with an account's consent from the full OAuth flow. Requires `autoConsent`. */
export class ConsentedClient {
  private constructor(
    readonly simulator: GoogleSimulator,
    readonly tokens: z.infer<typeof offlineTokensSchema>,
  ) {}

  static async connect(simulator: GoogleSimulator, account: string, scope = DEFAULT_SCOPE): Promise<ConsentedClient> {
    const code = codeOf(await requestConsent(simulator, { login_hint: account, scope }));
    const response = await exchange(simulator, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    return new ConsentedClient(simulator, response.as(offlineTokensSchema));
  }

  get(path: string, query: Record<string, string> = {}): Promise<JsonResponse> {
    return this.send(`${path}?${new URLSearchParams(query)}`, {});
  }

  post(path: string, body: unknown): Promise<JsonResponse> {
    return this.send(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  }

  /** Returns all pages of list or reconcile. */
  async pages(path: string, query: Record<string, string> = {}): Promise<Record<string, unknown>[][]> {
    const pages: Record<string, unknown>[][] = [];
    for (let pageToken = '', more = true; more; ) {
      const response = await this.get(path, pageToken === '' ? query : { ...query, pageToken });
      const { dataPoints = [], nextPageToken = '' } = response.as(pointPageSchema);
      pages.push(dataPoints);
      pageToken = nextPageToken;
      more = pageToken !== '';
    }
    return pages;
  }

  private async send(path: string, init: RequestInit): Promise<JsonResponse> {
    const headers = { authorization: `Bearer ${this.tokens.access_token}` };
    const url = `${this.simulator.urls.api}/v4/users/me/${path}`;
    return jsonResponse(await fetch(url, { ...init, headers }));
  }
}

/** Opens the authorize page with the usual parameters and these changes. Omits parameters that are empty. */
export function requestConsent(simulator: GoogleSimulator, change: Record<string, string> = {}): Promise<Response> {
  return fetch(authorizeUrl(simulator, change), { redirect: 'manual' });
}

export function authorizeUrl(simulator: GoogleSimulator, change: Record<string, string> = {}): string {
  const parameters = {
    client_id: simulator.client.id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: DEFAULT_SCOPE,
    access_type: 'offline',
    prompt: 'consent',
    state: 'state-1',
    ...change,
  };
  const present = Object.entries(parameters).filter(([, value]) => value !== '');
  return `${simulator.urls.authorize}?${new URLSearchParams(present)}`;
}

/** Returns the parameters of the redirect from the authorize page. */
export function backWith(response: Response): URLSearchParams {
  return new URL(response.headers.get('location') ?? 'http://none').searchParams;
}

export function codeOf(response: Response): string {
  return backWith(response).get('code') ?? '';
}

/** Calls the token endpoint with the client's credentials. @param form additional or changed form fields */
export async function exchange(simulator: GoogleSimulator, form: Record<string, string>): Promise<JsonResponse> {
  const { id, secret } = simulator.client;
  const body = new URLSearchParams({ client_id: id, client_secret: secret, redirect_uri: REDIRECT_URI, ...form });
  return jsonResponse(await fetch(simulator.urls.token, { method: 'POST', body }));
}

export async function jsonResponse(response: Response): Promise<JsonResponse> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return new JsonResponse(response.status, response.headers, isJson ? JSON.parse(text) : text);
}

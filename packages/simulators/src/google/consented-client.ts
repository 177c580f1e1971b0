import type { z } from 'zod';
import { apiFailureSchema, offlineTokensSchema, pointPageSchema } from './answer-schemas.js';
import type { GoogleSimulator } from './simulator.js';

const REDIRECT_URI = 'http://localhost:9/callback';
const GROUPS = ['activity_and_fitness', 'health_metrics_and_measurements', 'nutrition', 'sleep', 'settings'];

/** Scopes that the service asks for by default. */
export const DEFAULT_SCOPE = `openid email ${GROUPS.map((group) => `https://www.googleapis.com/auth/googlehealth.${group}.readonly`).join(' ')}`;

/** What came back. `body` is parsed when it is JSON, else the text. */
export class JsonAnswer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly body: unknown,
  ) {}

  /** The body as one of the vendor's resources; throws when it is none. */
  as<Schema extends z.ZodType>(schema: Schema): z.infer<Schema> {
    return schema.parse(this.body);
  }

  /** Reason of a failure of the Health API, where it has one; throws when the answer is no failure. */
  get reason(): string | undefined {
    return this.as(apiFailureSchema).error.details?.[0]?.reason;
  }
}

/** A client that an account has given its consent to, by the whole round trip; needs `autoConsent`. */
export class ConsentedClient {
  private constructor(
    readonly simulator: GoogleSimulator,
    readonly tokens: z.infer<typeof offlineTokensSchema>,
  ) {}

  static async connect(simulator: GoogleSimulator, account: string, scope = DEFAULT_SCOPE): Promise<ConsentedClient> {
    const code = codeOf(await askForConsent(simulator, { login_hint: account, scope }));
    const answer = await exchange(simulator, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    return new ConsentedClient(simulator, answer.as(offlineTokensSchema));
  }

  get(path: string, query: Record<string, string> = {}): Promise<JsonAnswer> {
    return this.send(`${path}?${new URLSearchParams(query)}`, {});
  }

  post(path: string, body: unknown): Promise<JsonAnswer> {
    return this.send(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  }

  /** Pages of list or reconcile until there is no token. */
  async pages(path: string, query: Record<string, string> = {}): Promise<Record<string, unknown>[][]> {
    const pages: Record<string, unknown>[][] = [];
    for (let pageToken = '', more = true; more; ) {
      const answer = await this.get(path, pageToken === '' ? query : { ...query, pageToken });
      const { dataPoints = [], nextPageToken = '' } = answer.as(pointPageSchema);
      pages.push(dataPoints);
      pageToken = nextPageToken;
      more = pageToken !== '';
    }
    return pages;
  }

  private async send(path: string, init: RequestInit): Promise<JsonAnswer> {
    const headers = { authorization: `Bearer ${this.tokens.access_token}` };
    const url = `${this.simulator.urls.api}/v4/users/me/${path}`;
    return jsonAnswer(await fetch(url, { ...init, headers }));
  }
}

/** Opens the authorize page with the usual parameters, changed as wanted; an empty one is left out. */
export function askForConsent(simulator: GoogleSimulator, change: Record<string, string> = {}): Promise<Response> {
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
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return `${simulator.urls.authorize}?${new URLSearchParams(given)}`;
}

/** Parameters with which the authorize page came back. */
export function backWith(response: Response): URLSearchParams {
  return new URL(response.headers.get('location') ?? 'http://none').searchParams;
}

export function codeOf(response: Response): string {
  return backWith(response).get('code') ?? '';
}

/** A call of the token endpoint with the client's credentials, changed as wanted. */
export async function exchange(simulator: GoogleSimulator, form: Record<string, string>): Promise<JsonAnswer> {
  const { id, secret } = simulator.client;
  const body = new URLSearchParams({ client_id: id, client_secret: secret, redirect_uri: REDIRECT_URI, ...form });
  return jsonAnswer(await fetch(simulator.urls.token, { method: 'POST', body }));
}

export async function jsonAnswer(response: Response): Promise<JsonAnswer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return new JsonAnswer(response.status, response.headers, isJson ? JSON.parse(text) : text);
}

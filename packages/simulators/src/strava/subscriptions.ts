import { createHmac, randomUUID } from 'node:crypto';
import { type Answer, json } from '../response.js';
import { type Call, Deliveries, type DeliveryChange, type SignedEvent, type VendorCore } from '../vendor/index.js';
import type { ReportedChange, StravaAccount } from './account.js';
import { failure, ROOT } from './api.js';
import type { StravaSubscription } from './wire-types.js';

const PATH = `${ROOT}/push_subscriptions`;
const APPLICATION_ID = 4_711;
const MAX_CALLBACK = 255;
const HANDSHAKE_MS = 2_000;

/** The only subscriber: one URL for the whole application. */
export class Subscriptions {
  private subscription: StravaSubscription | undefined;
  private lastId = 120_474;

  constructor(private readonly core: VendorCore<StravaAccount>) {}

  /** Sends events. An event is signed only if the test passes a key. */
  sender(): Deliveries {
    return new Deliveries(
      () => this.subscription?.callback_url,
      (event, change) => written(event, change, this.core.clock.nowMs()),
    );
  }

  all(): StravaSubscription[] {
    return this.subscription ? [this.subscription] : [];
  }

  clear(): void {
    this.subscription = undefined;
  }

  /** Returns an event as sent. */
  eventOf(change: ReportedChange): object {
    const event_time = Math.floor(this.core.clock.nowMs() / 1000);
    return { ...change, subscription_id: this.subscription?.id ?? 0, event_time };
  }

  /** Handles the API of subscriptions, with the client's credentials in the query or the form. */
  async answer(call: Call): Promise<Answer> {
    const { client, clock } = this.core;
    const parameters = call.method === 'POST' ? new URLSearchParams(call.body) : call.query;
    if (parameters.get('client_id') !== client.id || parameters.get('client_secret') !== client.secret) {
      return failure(401, 'Authorization Error', 'Application', 'client_id', 'invalid');
    }
    const id = call.path.slice(PATH.length + 1);
    if (call.method === 'GET' && id === '') return json(200, this.all());
    if (call.method === 'DELETE') {
      if (String(this.subscription?.id) !== id)
        return failure(404, 'Record Not Found', 'PushSubscription', 'id', 'invalid');
      this.subscription = undefined;
      return { status: 204, headers: {}, body: '' };
    }
    if (call.method !== 'POST' || id !== '') return failure(404, 'Record Not Found', 'Path', 'id', 'invalid');
    const callback = parameters.get('callback_url') ?? '';
    const rejection = (code: string) => failure(400, 'Bad Request', 'PushSubscription', 'callback url', code);
    if (this.subscription) return rejection('already exists');
    if (callback.length > MAX_CALLBACK || !(await isVerified(callback, parameters.get('verify_token') ?? ''))) {
      return rejection('not verifiable');
    }
    const at = clock.now();
    this.lastId++;
    this.subscription = {
      id: this.lastId,
      callback_url: callback,
      application_id: APPLICATION_ID,
      created_at: at,
      updated_at: at,
    };
    return json(201, { id: this.lastId });
  }
}

function written(event: object, { secret, timestampMs }: DeliveryChange, nowMs: number): SignedEvent {
  const body = JSON.stringify(event);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (secret !== undefined) {
    const seconds = Math.floor((timestampMs ?? nowMs) / 1000);
    const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    headers['x-strava-signature'] = `t=${seconds},v1=${signature}`;
  }
  return { body, headers };
}

/** True if the URL returns the challenge in time. */
async function isVerified(callback: string, token: string): Promise<boolean> {
  if (!URL.canParse(callback)) return false;
  const challenge = randomUUID().replaceAll('-', '');
  const address = new URL(callback);
  address.searchParams.set('hub.mode', 'subscribe');
  address.searchParams.set('hub.challenge', challenge);
  address.searchParams.set('hub.verify_token', token);
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(HANDSHAKE_MS) });
    const body: unknown = await response.json();
    return response.status === 200 && (body as Record<string, unknown>)['hub.challenge'] === challenge;
  } catch {
    return false;
  }
}

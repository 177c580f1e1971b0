import { createHmac, randomUUID } from 'node:crypto';
import { MS_PER_DAY } from '@healthd/model';
import { type Answer, json } from '../response.js';
import { type Call, Deliveries, type DeliveryChange, type SignedEvent, type VendorCore } from '../vendor/index.js';
import type { OuraAccount } from './account.js';
import type { OuraEvent } from './wire-types.js';

const LIFE_MS = 90 * MS_PER_DAY;
const PATH = '/v2/webhook/subscription';

/** One subscription per data type and change type. */
export interface OuraSubscription {
  id: string;
  callback_url: string;
  event_type: string;
  data_type: string;
  /** Time in UTC, without a zone. */
  expiration_time: string;
}

/** Signs the Unix timestamp in seconds, followed by the body, with the application's client secret. */
function signOuraEvent(event: object, secret: string, timestampMs: number): SignedEvent {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(timestampMs / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}${body}`).digest('hex').toUpperCase();
  return {
    body,
    headers: { 'content-type': 'application/json', 'x-oura-signature': signature, 'x-oura-timestamp': timestamp },
  };
}

/** Subscribers for the whole application. */
export class Subscriptions {
  private subscriptions: OuraSubscription[] = [];

  constructor(private readonly core: VendorCore<OuraAccount>) {}

  /** Returns the sender of events. Each event goes to its subscription. A response of 410 cancels the subscription. */
  sender(): Deliveries {
    const { client, clock } = this.core;
    const sign = (event: object, { secret = client.secret, timestampMs = clock.nowMs() }: DeliveryChange) =>
      signOuraEvent(event, secret, timestampMs);
    return new Deliveries(
      (event) => this.of(event)?.callback_url,
      sign,
      (event, status) => {
        if (status === 410) this.subscriptions = this.subscriptions.filter((one) => one !== this.of(event));
      },
    );
  }

  all(): OuraSubscription[] {
    return this.subscriptions.filter(({ expiration_time: end }) => Date.parse(`${end}Z`) > this.core.clock.nowMs());
  }

  clear(): void {
    this.subscriptions = [];
  }

  /** Returns the subscription of an event. A test event with `to_anybody` uses any subscription. */
  private of(event: object): OuraSubscription | undefined {
    const { event_type, data_type } = event as Partial<OuraEvent>;
    const alive = this.all();
    return alive.find((one) => one.event_type === event_type && one.data_type === data_type) ?? this.anyOf(event);
  }

  private anyOf(event: object): OuraSubscription | undefined {
    return 'to_anybody' in event ? this.all()[0] : undefined;
  }

  /** Handles the API of subscriptions, with credentials in headers. Verifies every URL before storing it. */
  async answer(call: Call): Promise<Answer> {
    const { client } = this.core;
    if (call.headers['x-client-id'] !== client.id || call.headers['x-client-secret'] !== client.secret) {
      return json(401, { detail: 'Unauthorized' });
    }
    const id = call.path.slice(PATH.length + 1);
    if (id === '' && call.method === 'GET') return json(200, this.all());
    if (id === '' && call.method === 'POST') return this.create(call);
    const isRenewal = id.startsWith('renew/');
    const found = this.all().find((one) => one.id === id.replace('renew/', ''));
    if (!found) return json(403, { detail: 'Unknown subscription' });
    if (isRenewal && call.method === 'PUT') {
      found.expiration_time = this.end();
      return json(200, found);
    }
    if (call.method === 'PUT') return this.change(found, call);
    if (call.method === 'DELETE') {
      this.subscriptions = this.subscriptions.filter((one) => one !== found);
      return { status: 204, headers: {}, body: '' };
    }
    return call.method === 'GET' ? json(200, found) : json(405, { detail: 'Method Not Allowed' });
  }

  private async create(call: Call): Promise<Answer> {
    const requested = JSON.parse(call.body) as OuraSubscription & { verification_token: string };
    const { callback_url, event_type, data_type } = requested;
    if (this.all().some((one) => one.event_type === event_type && one.data_type === data_type)) {
      return json(422, { detail: 'The subscription exists' });
    }
    if (!(await isVerified(callback_url, requested.verification_token))) return json(422, { detail: 'Not verified' });
    const made = { id: randomUUID(), callback_url, event_type, data_type, expiration_time: this.end() };
    this.subscriptions.push(made);
    return json(201, made);
  }

  private async change(found: OuraSubscription, call: Call): Promise<Answer> {
    const requested = JSON.parse(call.body) as OuraSubscription & { verification_token: string };
    if (!(await isVerified(requested.callback_url, requested.verification_token)))
      return json(422, { detail: 'Not verified' });
    found.callback_url = requested.callback_url;
    return json(200, found);
  }

  private end(): string {
    return new Date(this.core.clock.nowMs() + LIFE_MS).toISOString().replace('Z', '000');
  }
}

/** True if the URL returns the challenge. */
async function isVerified(callback: string, token: string): Promise<boolean> {
  const challenge = randomUUID();
  const address = `${callback}?${new URLSearchParams({ verification_token: token, challenge })}`;
  try {
    const response = await fetch(address);
    const body: unknown = await response.json();
    return response.ok && (body as { challenge?: unknown }).challenge === challenge;
  } catch {
    return false;
  }
}

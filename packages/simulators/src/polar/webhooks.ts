import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { type Answer, json } from '../response.js';
import { type Call, Deliveries, type DeliveryChange, type SignedEvent, type VendorCore } from '../vendor/index.js';
import type { PolarAccount } from './account.js';
import { failure, NO_CONTENT } from './failure.js';

const PATH = '/v3/webhooks';
const PING_MS = 2_000;

/** The webhook as the vendor lists it. */
export interface PolarWebhook {
  id: string;
  events: string[];
  url: string;
  active: boolean;
}

/** The client's only webhook. Its secret is returned only at creation. */
export class Webhooks {
  private webhook: PolarWebhook | undefined;
  private secret = '';

  constructor(private readonly core: VendorCore<PolarAccount>) {}

  sender(): Deliveries {
    return new Deliveries(
      (event) => this.targetOf(event),
      (event, change) => this.signed(event, change),
    );
  }

  all(): PolarWebhook[] {
    return this.webhook ? [{ ...this.webhook }] : [];
  }

  /** Deactivates the webhook, like the vendor after a week of failed deliveries. */
  deactivate(): void {
    if (this.webhook) this.webhook.active = false;
  }

  clear(): void {
    this.webhook = undefined;
  }

  /** Handles the API of webhooks, with the client's credentials. */
  async answer(call: Call): Promise<Answer> {
    const { id, secret } = this.core.client;
    if (call.headers.authorization !== `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`) {
      return failure(401, 'unauthorized', 'Invalid client credentials');
    }
    const named = call.path.slice(PATH.length + 1);
    if (named === '' && call.method === 'GET') return json(200, { data: this.all() });
    if (named === '' && call.method === 'POST') return this.create(call);
    if ((named === 'activate' || named === 'deactivate') && call.method === 'POST') {
      if (!this.webhook) return NO_CONTENT;
      if (named === 'activate' && !(await this.isAnswered(this.webhook.url))) return pingFailed();
      this.webhook.active = named === 'activate';
      return { status: 200, headers: {}, body: '' };
    }
    if (this.webhook?.id !== named) return failure(404, 'not_found', 'No such webhook');
    if (call.method === 'DELETE') {
      this.webhook = undefined;
      return NO_CONTENT;
    }
    return call.method === 'PATCH' ? this.change(this.webhook, call) : failure(405, 'method_not_allowed', call.method);
  }

  private async create(call: Call): Promise<Answer> {
    if (this.webhook) return failure(409, 'conflict', 'The webhook exists');
    const { events, url } = JSON.parse(call.body) as PolarWebhook;
    if (!(await this.isAnswered(url))) return pingFailed();
    this.secret = randomUUID();
    this.webhook = { id: randomBytes(4).toString('hex'), events, url, active: true };
    const { active: _, ...shown } = this.webhook;
    return json(201, { data: { ...shown, signature_secret_key: this.secret } });
  }

  private async change(webhook: PolarWebhook, call: Call): Promise<Answer> {
    const { events, url } = JSON.parse(call.body) as Partial<PolarWebhook>;
    if (url !== undefined && !(await this.isAnswered(url))) return pingFailed();
    Object.assign(webhook, events && { events }, url !== undefined && { url });
    return json(200, { data: webhook });
  }

  /** True if the URL returns 200 to an unsigned ping. */
  private async isAnswered(url: string): Promise<boolean> {
    const body = JSON.stringify({ timestamp: this.core.clock.now(), event: 'PING' });
    const headers = { 'content-type': 'application/json', 'polar-webhook-event': 'PING' };
    const signal = AbortSignal.timeout(PING_MS);
    return fetch(url, { method: 'POST', headers, body, signal }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  private targetOf(event: object): string | undefined {
    const name = 'event' in event ? String(event.event) : '';
    const { webhook } = this;
    if (!webhook?.active) return undefined;
    return webhook.events.includes(name) || 'to_anybody' in event ? webhook.url : undefined;
  }

  private signed(event: object, { secret = this.secret }: DeliveryChange): SignedEvent {
    const body = JSON.stringify(event);
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const name = 'event' in event ? String(event.event) : '';
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'polar-webhook-event': name,
        'polar-webhook-signature': signature,
      },
    };
  }
}

function pingFailed(): Answer {
  return failure(400, 'bad_request', 'The URL did not respond to the ping');
}

import { randomUUID } from 'node:crypto';
import type { SimulatorClock } from '../../clock.js';
import { dataTypeCalled } from '../data-types.js';
import type { Grant, Grants } from '../oauth/grants.js';
import { readScope } from '../oauth/scopes.js';
import type { GoogleBehaviour } from '../options.js';
import { LISTED, type PointStore } from '../point-store.js';
import type { StoredPoint } from '../stored-points.js';
import type { DeliveryRecord } from '../subscriber-types.js';
import { Deliveries } from './deliveries.js';
import { changedStretches, notificationBody } from './notification.js';
import type { SignatureKeys } from './signature-keys.js';
import type { Subscribers } from './subscribers.js';

/** Dependencies of the notifier. */
interface Surroundings {
  clock: SimulatorClock;
  accounts: { require(id: string): { healthUserId: string } };
  points: PointStore;
  grants: Grants;
  subscribers: Subscribers;
  signatureKeys: SignatureKeys;
  behaviour: GoogleBehaviour;
}

/** Notifies subscribers of changes, for users who granted the scope. */
export class Notifier {
  private readonly queue = new Deliveries();

  constructor(private readonly service: Surroundings) {}

  /** Notifies subscribers of stored or deleted points. */
  pointsChanged(account: string, points: readonly StoredPoint[], operation: 'UPSERT' | 'DELETE'): void {
    const grant = this.service.grants.of(account);
    if (!grant) return;
    for (const dataType of new Set(points.map(({ type }) => type.id))) {
      const changed = points.filter(({ type }) => type.id === dataType);
      this.notify(grant, dataType, changed, operation);
    }
  }

  /** Notifies subscribers after a grant was revoked. All data in its scopes counts as deleted. */
  consentEnded(grant: Grant): void {
    for (const dataType of this.service.points.typesOf(grant.account)) {
      this.notify(grant, dataType, this.service.points.stream(grant.account, dataType, LISTED), 'DELETE');
    }
  }

  /** Sends one change to every subscriber of its type. */
  private notify(grant: Grant, dataType: string, points: readonly StoredPoint[], operation: 'UPSERT' | 'DELETE'): void {
    const { behaviour, accounts, subscribers } = this.service;
    if (points.length === 0 || !grant.scopes.has(readScope(dataTypeCalled(dataType).scope))) return;
    const { healthUserId } = accounts.require(grant.account);
    const stretches = changedStretches(points);
    for (const { id } of subscribers.of(dataType)) {
      const body = notificationBody(healthUserId, dataType, operation, stretches, behaviour);
      const copies = behaviour.duplicateNotifications ? 2 : 1;
      for (let copy = 0; copy < copies; copy++) this.add(id, { account: grant.account, dataType, operation }, body);
    }
  }

  deliveries(): DeliveryRecord[] {
    return this.queue.all();
  }

  flush(): Promise<{ delivered: number; pending: number }> {
    return this.queue.flush();
  }

  forget(subscriber: string): void {
    this.queue.forget(subscriber);
  }

  clear(): void {
    this.queue.clear();
  }

  close(): void {
    this.queue.close();
  }

  private add(
    subscriber: string,
    about: Pick<DeliveryRecord, 'account' | 'dataType' | 'operation'>,
    body: string,
  ): void {
    const { clock, behaviour } = this.service;
    const record = {
      id: randomUUID(),
      subscriber,
      ...about,
      state: 'pending',
      attempts: [],
      createdAt: clock.now(),
    } as const;
    const target = () => this.target(subscriber, body);
    this.queue.add({ ...record, attempts: [], body, target, ageSeconds: 0, held: behaviour.deliveries === 'held' });
  }

  private target(id: string, body: string) {
    const subscriber = this.service.subscribers.get(id);
    if (!subscriber) return undefined;
    const legacy = this.service.behaviour.signatureHeader === 'legacy';
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      [legacy ? 'x-healthapi-signature' : 'google-health-api-signature']: this.service.signatureKeys.sign(body),
    };
    if (subscriber.secret !== undefined) headers.authorization = subscriber.secret;
    return { endpointUri: subscriber.endpointUri, headers };
  }
}

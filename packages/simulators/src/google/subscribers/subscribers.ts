import { randomUUID } from 'node:crypto';
import type { SimulatorClock } from '../../clock.js';
import type { SubscriberResource } from '../subscriber-types.js';

export type SubscriberConfigs = SubscriberResource['subscriberConfigs'];

/** A registered endpoint and the secret of its requests. */
export interface Subscriber {
  id: string;
  endpointUri: string;
  configs: SubscriberConfigs;
  secret?: string;
  createTime: string;
  updateTime: string;
}

/** Subscribers of the project. */
export class Subscribers {
  private readonly byId = new Map<string, Subscriber>();

  constructor(
    private readonly projectNumber: string,
    private readonly clock: SimulatorClock,
  ) {}

  /** Stores a verified endpoint. Replaces an existing subscriber with the same id. */
  put(subscriber: Pick<Subscriber, 'id' | 'endpointUri' | 'configs' | 'secret'>): Subscriber {
    const now = this.clock.now();
    const createTime = this.byId.get(subscriber.id)?.createTime ?? now;
    const stored = { ...subscriber, createTime, updateTime: now };
    this.byId.set(subscriber.id, stored);
    return stored;
  }

  get(id: string): Subscriber | undefined {
    return this.byId.get(id);
  }

  delete(id: string): boolean {
    return this.byId.delete(id);
  }

  all(): Subscriber[] {
    return [...this.byId.values()];
  }

  /** Returns the subscribers of a data type that need no subscription per user. */
  of(dataType: string): Subscriber[] {
    return this.all().filter(({ configs }) =>
      configs.some((config) => config.subscriptionCreatePolicy === 'AUTOMATIC' && config.dataTypes.includes(dataType)),
    );
  }

  resource({ id, endpointUri, configs, secret, createTime, updateTime }: Subscriber): SubscriberResource {
    return {
      name: `projects/${this.projectNumber}/subscribers/${id}`,
      endpointUri,
      subscriberConfigs: configs,
      endpointAuthorization: { secretSet: secret !== undefined },
      state: 'ACTIVE',
      createTime,
      updateTime,
    };
  }

  newId(): string {
    return `s${randomUUID().slice(0, 23)}`;
  }

  clear(): void {
    this.byId.clear();
  }
}

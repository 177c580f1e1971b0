import { createHash } from 'node:crypto';
import { ABSENT_PRIORITY, DEVICE_TYPES } from '@healthd/model';

/** What ranks one source before another; lower wins. */
export interface Ranked {
  provider: string;
  deviceType: string | null;
  /** Text that identifies the source wherever it is stored, unique within a user. */
  identity: string;
}

/** Names with their priorities; lower wins. */
type Ranks = Iterable<readonly [name: string, priority: number]>;

/** Priorities of providers and of device types, the same for all users of the service. */
export class Priorities {
  constructor(
    private readonly providers: ReadonlyMap<string, number>,
    private readonly deviceTypes: ReadonlyMap<string, number>,
    /** False of those that a preview tries: nothing that they lead to may be stored. */
    readonly areInForce = true,
  ) {}

  /**
   * Orders candidates of one day: provider, then stored device type, then the longer coverage, then the source's identity.
   * A provider or device type without a priority comes last.
   */
  compare(a: Ranked & { coveredMinutes: number }, b: Ranked & { coveredMinutes: number }): number {
    return (
      this.provider(a) - this.provider(b) ||
      this.deviceType(a) - this.deviceType(b) ||
      b.coveredMinutes - a.coveredMinutes ||
      (a.identity < b.identity ? -1 : a.identity > b.identity ? 1 : 0)
    );
  }

  /** These priorities with some of them changed, which are not in force; what is not named keeps its number. */
  changed({ providers, deviceTypes }: { providers: Ranks; deviceTypes: Ranks }): Priorities {
    const ranked = [
      new Map([...this.providers, ...providers]),
      new Map([...this.deviceTypes, ...deviceTypes]),
    ] as const;
    return new Priorities(...ranked, false);
  }

  /**
   * Names whose rank or class is another one in other priorities.
   * @returns `isOfAll` if the class of sources without a device changes too
   */
  changesTo(after: Priorities): { providers: string[]; deviceTypes: string[]; isOfAll: boolean } {
    const providers = new Set([...this.providers.keys(), ...after.providers.keys()]);
    const deviceTypes = new Set([...this.deviceTypes.keys(), ...after.deviceTypes.keys(), ...DEVICE_TYPES]);
    const isOther = (deviceType: string) =>
      this.deviceType({ deviceType }) !== after.deviceType({ deviceType }) ||
      this.isBeforePhone(deviceType) !== after.isBeforePhone(deviceType);
    return {
      providers: [...providers].filter((provider) => this.provider({ provider }) !== after.provider({ provider })),
      deviceTypes: [...deviceTypes].filter(isOther),
      isOfAll: this.phoneIsFirst !== after.phoneIsFirst,
    };
  }

  /** Text that is equal for equal priorities. */
  get order(): string {
    return JSON.stringify([[...this.providers].sort(), [...this.deviceTypes].sort()]);
  }

  /** A number that stands for the priorities of device types: equal for equal priorities, below 2^48. */
  get deviceOrder(): number {
    const ranks = [...this.deviceTypes].map(([name, priority]) => `${name}=${priority}`).sort();
    return createHash('sha256').update(ranks.join()).digest().readUIntBE(0, 6);
  }

  /** True if no device type stands before `phone`. */
  get phoneIsFirst(): boolean {
    return ![...this.deviceTypes.keys()].some((deviceType) => this.isBeforePhone(deviceType));
  }

  /** True if a device type stands before `phone` in the list of device types. */
  isBeforePhone(deviceType: string): boolean {
    return this.deviceType({ deviceType }) < this.deviceType({ deviceType: 'phone' });
  }

  /** Rank of a provider; lower wins. */
  provider({ provider }: Pick<Ranked, 'provider'>): number {
    return this.providers.get(provider) ?? ABSENT_PRIORITY;
  }

  /** Rank of a kind of device; lower wins. */
  deviceType({ deviceType }: Pick<Ranked, 'deviceType'>): number {
    return this.deviceTypes.get(deviceType ?? 'unknown') ?? ABSENT_PRIORITY;
  }
}

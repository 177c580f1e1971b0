import { createHash } from 'node:crypto';
import { ABSENT_PRIORITY, DEVICE_TYPES } from '@healthd/model';

/**
 * Version of the rule that orders the sources of one account. Change it together with the rule, so that the service
 * computes cached totals again.
 */
const ACCOUNT_ORDER = 'amount';

/** Names with their priorities. The lowest number wins. */
type Ranks = Iterable<readonly [name: string, priority: number]>;

/** Priorities of providers and of device types. They are the same for all users of the service. */
export class Priorities {
  constructor(
    private readonly providers: ReadonlyMap<string, number>,
    private readonly deviceTypes: ReadonlyMap<string, number>,
    /** False for a preview's priorities. Results that are computed with them must not be stored. */
    readonly areInForce = true,
  ) {}

  /** Returns a copy with changed priorities for some names, for a preview. */
  changed({ providers, deviceTypes }: { providers: Ranks; deviceTypes: Ranks }): Priorities {
    const ranked = [
      new Map([...this.providers, ...providers]),
      new Map([...this.deviceTypes, ...deviceTypes]),
    ] as const;
    return new Priorities(...ranked, false);
  }

  /**
   * Returns the names whose priority or position relative to `phone` differs in `after`.
   * @returns `isOfAll` is true if the change also affects sources without a device
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

  /** A text that identifies the priorities: equal texts mean equal priorities. */
  get order(): string {
    return JSON.stringify([[...this.providers].sort(), [...this.deviceTypes].sort()]);
  }

  /**
   * Hash of {@link ACCOUNT_ORDER} and the device-type priorities, below 2^48. Identifies the order of the sources of one
   * account.
   */
  get deviceOrder(): number {
    const ranks = [ACCOUNT_ORDER, ...[...this.deviceTypes].map(([name, priority]) => `${name}=${priority}`).sort()];
    return createHash('sha256').update(ranks.join()).digest().readUIntBE(0, 6);
  }

  /** True if no device type ranks before `phone`. */
  get phoneIsFirst(): boolean {
    return ![...this.deviceTypes.keys()].some((deviceType) => this.isBeforePhone(deviceType));
  }

  /** True if a device type ranks before `phone`. */
  isBeforePhone(deviceType: string): boolean {
    return this.deviceType({ deviceType }) < this.deviceType({ deviceType: 'phone' });
  }

  /** Returns a provider's priority. The lowest number wins. */
  provider({ provider }: { provider: string }): number {
    return this.providers.get(provider) ?? ABSENT_PRIORITY;
  }

  /** Returns a device type's priority. The lowest number wins. */
  deviceType({ deviceType }: { deviceType: string | null }): number {
    return this.deviceTypes.get(deviceType ?? 'unknown') ?? ABSENT_PRIORITY;
  }
}

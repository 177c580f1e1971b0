import type { AccountFacts } from '../vendor/index.js';
import type { GarminForms } from './forms.js';
import type { GarminItem, GarminItems, GarminPermission, SummaryKey } from './wire-types.js';

/** A generated account of the simulated vendor. */
export interface GarminAccount extends AccountFacts {
  /** True if the generated data contains menstrual cycles. */
  hasCycles: boolean;
}

/** All data of one account at the vendor. */
export class Account {
  private readonly kept = new Map<SummaryKey, Map<string, GarminItem>>();
  /** Time of the user's first connection to the application; undefined before it. Exports reach back from this time. */
  connectedMs: number | undefined;
  /** Granted permissions. */
  permissions: readonly GarminPermission[] = [];
  /** Accepted windows of exports, by type. */
  readonly exported: { key: SummaryKey; fromSeconds: number; toSeconds: number }[] = [];

  constructor(
    readonly facts: GarminAccount,
    public forms: GarminForms,
  ) {}

  /**
   * Stores summaries. A later summary replaces an earlier summary with the same id. For days and nights, the same date
   * is sufficient.
   */
  put(items: GarminItems): void {
    for (const [key, list] of Object.entries(items) as [SummaryKey, GarminItem[]][]) {
      const itemsOfKey = this.kept.get(key) ?? new Map<string, GarminItem>();
      this.kept.set(key, itemsOfKey);
      for (const item of list) itemsOfKey.set(idOf(key, item), item);
    }
  }

  items(key: SummaryKey): GarminItem[] {
    return [...(this.kept.get(key)?.values() ?? [])];
  }

  /** Returns the generated summaries that the vendor does not have yet, or has in an older version. */
  newsOf(life: GarminItems): GarminItems {
    const news = Object.entries(life).map(([key, list]) => [
      key,
      list.filter((item) => !this.has(key as SummaryKey, item)),
    ]);
    return Object.fromEntries(news) as GarminItems;
  }

  /**
   * Ends the link between the account and the application. Afterwards the application may request every export again.
   */
  disconnect(): void {
    this.connectedMs = undefined;
    this.permissions = [];
    this.exported.length = 0;
  }

  private has(key: SummaryKey, item: GarminItem): boolean {
    const storedItem = this.kept.get(key)?.get(idOf(key, item));
    return storedItem !== undefined && JSON.stringify(storedItem) === JSON.stringify(item);
  }
}

function idOf(key: SummaryKey, item: GarminItem): string {
  const byDate = key === 'dailies' || key === 'sleeps';
  return String((byDate ? item.calendarDate : undefined) ?? item.summaryId ?? item.startTimeInSeconds);
}

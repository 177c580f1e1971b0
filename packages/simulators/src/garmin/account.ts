import type { GarminForms } from './forms.js';
import type { GarminItem, GarminItems, GarminPermission, SummaryKey } from './wire-types.js';

/** A made-up person of the simulated vendor. */
export interface GarminAccount {
  /** Name in the control interface. */
  id: string;
  /** The vendor's own id, as everything that is pushed names it. */
  userId: string;
  /** IANA name; where the made-up life happens. */
  timeZone: string;
  /** Whether the made-up life has menstrual cycles. */
  hasCycles: boolean;
}

export type GarminAccountInput = Partial<GarminAccount>;

/** Everything that the vendor holds of one person. */
export class Account {
  private readonly kept = new Map<SummaryKey, Map<string, GarminItem>>();
  /** When the person first connected to the application; an export goes back from there. Undefined: not connected. */
  connectedMs: number | undefined;
  /** What the person ticked. */
  permissions: readonly GarminPermission[] = [];
  /** Windows of exports that were taken, by kind. */
  readonly exported: { key: SummaryKey; fromSeconds: number; toSeconds: number }[] = [];

  constructor(
    readonly facts: GarminAccount,
    public forms: GarminForms,
  ) {}

  /** Stores summaries; a later one of the same id, or of the same date for days and nights, takes the place of the earlier. */
  put(items: GarminItems): void {
    for (const [key, list] of Object.entries(items) as [SummaryKey, GarminItem[]][]) {
      const kept = this.kept.get(key) ?? new Map<string, GarminItem>();
      this.kept.set(key, kept);
      for (const item of list) kept.set(idOf(key, item), item);
    }
  }

  items(key: SummaryKey): GarminItem[] {
    return [...(this.kept.get(key)?.values() ?? [])];
  }

  has(key: SummaryKey, item: GarminItem): boolean {
    const kept = this.kept.get(key)?.get(idOf(key, item));
    return kept !== undefined && JSON.stringify(kept) === JSON.stringify(item);
  }
}

function idOf(key: SummaryKey, item: GarminItem): string {
  const byDate = key === 'dailies' || key === 'sleeps';
  return String((byDate ? item.calendarDate : undefined) ?? item.summaryId ?? item.startTimeInSeconds);
}

/** An instant in a table, shown in local time with its offset, or in UTC. */
export class Instant {
  /** @param measured UTC offset of a measurement, null if unknown. If set, the text includes seconds */
  constructor(
    readonly iso: string,
    private readonly measured?: { offset: string | null },
  ) {}

  /**
   * Formats as `2026-11-22 16:03 +01:00` or `2026-11-22 15:03 UTC`. Uses the reader's time zone without
   * `measured`, and UTC for an unknown offset.
   */
  text(isUtc = false): string {
    const moment = new Date(this.iso);
    if (Number.isNaN(moment.getTime())) return this.iso;
    const minutes = isUtc ? 0 : this.measured ? minutesOf(this.measured.offset) : -moment.getTimezoneOffset();
    const local = new Date(moment.getTime() + minutes * 60_000).toISOString();
    const shown = local.slice(0, this.measured ? 19 : 16).replace('T', ' ');
    return `${shown} ${minutes === 0 ? 'UTC' : offsetText(minutes)}`;
  }
}

/** Returns a table cell for an instant. Empty if unknown. */
export function at(iso: string | null | undefined): Instant | null {
  return iso ? new Instant(iso) : null;
}

/** Returns a table cell in the local time of the measurement, or in UTC if its offset is unknown. */
export function measuredAt(iso: string, offset: string | null): Instant {
  return new Instant(iso, { offset });
}

/** Returns the minutes of `+02:00`. 0 if unknown. */
function minutesOf(offset: string | null): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset ?? '') ?? [];
  return sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

function offsetText(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

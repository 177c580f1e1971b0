import type { AccountFacts } from '../vendor/index.js';
import { type StravaForms, stravaForms } from './forms.js';
import type { StravaActivity, StravaEvent, StravaInput, StravaStreams } from './wire-types.js';

/** An event without the members that only the subscription can fill in. */
export type ReportedChange = Omit<StravaEvent, 'subscription_id' | 'event_time'>;

/** All data of one account at the vendor. */
export class StravaAccount {
  readonly activities = new Map<number, StravaActivity>();
  readonly streams = new Map<number, StravaStreams>();

  readonly forms: StravaForms;

  constructor(readonly facts: AccountFacts) {
    this.forms = stravaForms(facts.id);
  }

  /** Stores activities. @param seesPrivate true if the application may read private activities */
  put({ activities = [], streams = {} }: StravaInput, seesPrivate: boolean): ReportedChange[] {
    for (const [id, one] of Object.entries(streams)) this.streams.set(Number(id), one);
    return activities.flatMap((activity) => {
      const before = this.activities.get(activity.id);
      this.activities.set(activity.id, activity);
      return this.changeOf(before, activity, seesPrivate);
    });
  }

  /** Deletes an activity. */
  remove(id: number, seesPrivate: boolean): ReportedChange[] {
    const before = this.activities.get(id);
    this.activities.delete(id);
    this.streams.delete(id);
    return before && isVisible(before, seesPrivate) ? [this.change(id, 'delete')] : [];
  }

  /** Reports a consent that the user revoked. */
  deauthorized(): ReportedChange {
    const id = Number(this.facts.userId);
    const updates = { authorized: 'false' };
    return { object_type: 'athlete', object_id: id, aspect_type: 'update', updates, owner_id: id };
  }

  /**
   * Without the scope for private activities, an activity that becomes private is reported as deleted. Most edits are
   * not reported at all.
   */
  private changeOf(
    before: StravaActivity | undefined,
    after: StravaActivity,
    seesPrivate: boolean,
  ): ReportedChange | never[] {
    const wasSeen = before !== undefined && isVisible(before, seesPrivate);
    const isSeen = isVisible(after, seesPrivate);
    if (!isSeen) return wasSeen ? this.change(after.id, 'delete') : [];
    if (!wasSeen) return this.change(after.id, 'create');
    const updates: Record<string, string> = {};
    if (before?.name !== after.name) updates.title = String(after.name);
    if (before?.sport_type !== after.sport_type) updates.type = String(after.sport_type);
    if (isPrivate(before) !== isPrivate(after)) updates.private = String(isPrivate(after));
    return Object.keys(updates).length === 0 ? [] : this.change(after.id, 'update', updates);
  }

  private change(id: number, aspect: StravaEvent['aspect_type'], updates: Record<string, string> = {}): ReportedChange {
    const owner = Number(this.facts.userId);
    return { object_type: 'activity', object_id: id, aspect_type: aspect, updates, owner_id: owner };
  }
}

/** True if the application may read the activity. */
export function isVisible(activity: StravaActivity, seesPrivate: boolean): boolean {
  return seesPrivate || !isPrivate(activity);
}

function isPrivate(activity: StravaActivity | undefined): boolean {
  return activity?.visibility === 'only_me';
}

/** An activity as a list gives it. What else it has, the vendor's description says; `calories` shows in the details alone. */
export interface StravaActivity {
  id: number;
  sport_type?: string;
  /** Older name of the sport, which old records have alone. */
  type?: string;
  /** RFC 3339, UTC. */
  start_date: string;
  /** Seconds ahead of UTC; old records have none. */
  utc_offset?: number;
  /** Seconds. */
  elapsed_time: number;
  /** `only_me` takes a scope of its own to be seen. */
  visibility?: 'everyone' | 'followers_only' | 'only_me';
  [member: string]: unknown;
}

/** Readings of an activity by sensor, all of the same length; `time` in seconds from its start, `latlng` in pairs. */
export type StravaStreams = Readonly<Record<string, readonly (number | readonly [number, number])[]>>;

/** What is stored for an account. */
export interface StravaInput {
  activities?: readonly StravaActivity[];
  /** By id of the activity. */
  streams?: Readonly<Record<number, StravaStreams>>;
}

/** A report of a change. */
export interface StravaEvent {
  object_type: 'activity' | 'athlete';
  object_id: number;
  aspect_type: 'create' | 'update' | 'delete';
  updates: Record<string, string>;
  owner_id: number;
  subscription_id: number;
  /** Seconds since 1970. */
  event_time: number;
}

/** The one subscription of the application. */
export interface StravaSubscription {
  id: number;
  callback_url: string;
  application_id: number;
  created_at: string;
  updated_at: string;
}

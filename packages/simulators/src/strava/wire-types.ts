/** An activity in a list. The vendor documents its other members; only details contain `calories`. */
export interface StravaActivity {
  id: number;
  sport_type?: string;
  /** Older member for the sport. Old records contain only this member. */
  type?: string;
  /** RFC 3339, UTC. */
  start_date: string;
  /** Seconds ahead of UTC; old records have none. */
  utc_offset?: number;
  /** Seconds. */
  elapsed_time: number;
  /** Reading `only_me` requires a separate scope. */
  visibility?: 'everyone' | 'followers_only' | 'only_me';
  [member: string]: unknown;
}

/** Readings by sensor, all of equal length. `time` is in seconds from the activity's start, `latlng` in pairs. */
export type StravaStreams = Readonly<Record<string, readonly (number | readonly [number, number])[]>>;

/** Stored data of an account. */
export interface StravaInput {
  activities?: readonly StravaActivity[];
  /** Streams by id of the activity. */
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

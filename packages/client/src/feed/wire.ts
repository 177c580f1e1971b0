// Types of the feed's responses. In the npm package, package/wire.d.ts replaces the types of the schemas.
export type { Change, ChangePageResponse as ChangePage } from '@healthd/schemas';

/** Digests of a user's data in the service. */
export interface DigestPage {
  user_id: string;
  position: number;
  key_id: string;
  stored: { from: string; to: string } | null;
  expired: { type: string; before: string }[];
  items: {
    day: string;
    kind: string;
    type: string | null;
    provider: string;
    state: 'current' | 'archived' | 'expired';
    rows: number | null;
    digest: string | null;
  }[];
}

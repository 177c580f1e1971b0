// Types of the feed's responses. In the npm package, package/feed/wire.d.ts replaces this file's types.
export type { Change, ChangePageResponse as ChangePage, UserDigest } from '@healthd/schemas';

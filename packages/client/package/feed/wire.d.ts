import type { components } from '../openapi.js';

export type Change = components['schemas']['Change'];
export type ChangePage = components['schemas']['ChangePage'];
export type UserDigest = components['schemas']['UserDigest'];

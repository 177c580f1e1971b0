import { randomBytes } from 'node:crypto';
import { SECONDS_PER_DAY } from '@healthd/model';
import type { Request, Response } from 'express';
import { Cookie } from './cookies.js';

const SECRET = /^[\w-]{43}$/;

/**
 * Identifies browsers during a consent (RFC 9700, 4.7): the browser that returns from a consent must be the
 * browser that started it. Uses `SameSite=Lax`, because the vendor's site redirects the browser back.
 */
export class ConsentCookie {
  readonly #cookie: Cookie;

  /** @param options.secure true if browsers reach the service only over https */
  constructor({ secure }: { secure: boolean }) {
    this.#cookie = new Cookie('healthd_consent', { sameSite: 'lax', secure, path: '/' });
  }

  /** Returns the browser's secret; undefined if it has not started a consent recently. */
  read(request: Request): string | undefined {
    const secret = this.#cookie.read(request);
    return secret !== undefined && SECRET.test(secret) ? secret : undefined;
  }

  /** Returns the browser's secret. Creates a secret if needed, which expires after a day. */
  ensure(request: Request, response: Response): string {
    const secret = this.read(request) ?? randomBytes(32).toString('base64url');
    this.#cookie.set(response, secret, SECONDS_PER_DAY);
    return secret;
  }
}

import { randomBytes } from 'node:crypto';
import { SECONDS_PER_DAY } from '@healthd/model';
import type { Request, Response } from 'express';
import { Cookie } from './cookies.js';

const SECRET = /^[\w-]{43}$/;

/**
 * Tells browsers apart while people consent (RFC 9700, 4.7): whoever brings a consent back must be the one who began it. `Lax`,
 * because the vendor's site sends the browser back.
 */
export class ConsentCookie {
  readonly #cookie: Cookie;

  /** @param options.secure whether browsers reach the service over https only */
  constructor({ secure }: { secure: boolean }) {
    this.#cookie = new Cookie('healthd_consent', { sameSite: 'lax', secure, path: '/' });
  }

  /** The browser's secret; undefined if it has begun no consent lately. */
  read(request: Request): string | undefined {
    const secret = this.#cookie.read(request);
    return secret !== undefined && SECRET.test(secret) ? secret : undefined;
  }

  /** The browser's secret, made if it has none; it lasts for a day from now. */
  ensure(request: Request, response: Response): string {
    const secret = this.read(request) ?? randomBytes(32).toString('base64url');
    this.#cookie.set(response, secret, SECONDS_PER_DAY);
    return secret;
  }
}

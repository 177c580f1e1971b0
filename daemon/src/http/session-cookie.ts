import { CONSOLE_HEADER } from '@healthd/contract';
import type { Request, Response } from 'express';
import { Failure } from '../platform/failures.js';
import { Cookie } from './cookies.js';

export interface SessionCookieOptions {
  /** True if browsers reach the service only over https. */
  secure: boolean;
  /** Lifetime of the cookie. It equals the lifetime of an unused refresh token. */
  maxAgeSeconds: number;
}

const NAME = 'healthd_session';

/**
 * Cookie with a browser's refresh token. Scripts cannot read it, other sites cannot send it, and other routes do not
 * receive it.
 */
export class SessionCookie {
  readonly #cookie: Cookie;
  readonly #maxAgeSeconds: number;

  constructor({ secure, maxAgeSeconds }: SessionCookieOptions) {
    this.#cookie = new Cookie(NAME, { sameSite: 'strict', secure, path: '/api/v1/auth', hadPlainName: true });
    this.#maxAgeSeconds = maxAgeSeconds;
  }

  set(response: Response, refreshToken: string): void {
    this.#cookie.set(response, refreshToken, this.#maxAgeSeconds);
  }

  clear(response: Response): void {
    this.#cookie.clear(response);
  }

  /**
   * Returns the refresh token of a console request.
   * @throws Failure `forbidden` without the header that other sites cannot send
   */
  read(request: Request): string | undefined {
    rejectOtherSites(request);
    return this.#cookie.read(request);
  }
}

/**
 * Rejects a request without the console's header, because another site's page could have made it. @throws Failure
 * `forbidden`
 */
export function rejectOtherSites(request: Request): void {
  const { name, value } = CONSOLE_HEADER;
  if (request.headers[name.toLowerCase()] !== value) {
    throw new Failure('forbidden', `This route is for the console: send the header ${name}: ${value}.`);
  }
}

import { CONSOLE_HEADER } from '@healthd/contract';
import type { Request, Response } from 'express';
import { Failure } from '../platform/failures.js';
import { Cookie } from './cookies.js';

export interface SessionCookieOptions {
  /** Whether browsers reach the service over https only. */
  secure: boolean;
  /** Life of the cookie: that of a refresh token no one uses. */
  maxAgeSeconds: number;
}

const NAME = 'healthd_session';

/** The refresh token of a browser: no script can read it, no other site sends it, and no other route sees it. */
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
   * The refresh token that a request of the console carries.
   * @throws Failure `forbidden` without the header that other sites cannot send
   */
  read(request: Request): string | undefined {
    refuseOtherSites(request);
    return this.#cookie.read(request);
  }
}

/** @throws Failure `forbidden` for a request that a page of another site could have made */
export function refuseOtherSites(request: Request): void {
  const { name, value } = CONSOLE_HEADER;
  if (request.headers[name.toLowerCase()] !== value) {
    throw new Failure('forbidden', `This route is for the console: send the header ${name}: ${value}.`);
  }
}

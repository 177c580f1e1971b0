import { CONSOLE_HEADER } from '@healthd/contract';
import type { CookieOptions, Request, Response } from 'express';
import { Failure } from '../platform/failures.js';

export interface SessionCookieOptions {
  /** Whether browsers reach the service over https only. */
  secure: boolean;
  /** Life of the cookie: that of a refresh token no one uses. */
  maxAgeSeconds: number;
}

const NAME = 'healthd_session';

/** The refresh token of a browser: no script can read it, no other site sends it, and no other route sees it. */
export class SessionCookie {
  readonly #attributes: CookieOptions;
  readonly #maxAgeMs: number;

  constructor({ secure, maxAgeSeconds }: SessionCookieOptions) {
    this.#attributes = { httpOnly: true, sameSite: 'strict', secure, path: '/api/v1/auth' };
    this.#maxAgeMs = maxAgeSeconds * 1000;
  }

  set(response: Response, refreshToken: string): void {
    response.cookie(NAME, refreshToken, { ...this.#attributes, maxAge: this.#maxAgeMs });
  }

  clear(response: Response): void {
    response.clearCookie(NAME, this.#attributes);
  }

  /**
   * The refresh token that a request of the console carries.
   * @throws Failure `forbidden` without the header that other sites cannot send
   */
  read(request: Request): string | undefined {
    refuseOtherSites(request);
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const [name, value] = pair.split('=', 2).map((text) => text.trim());
      if (name === NAME && value) return value;
    }
    return undefined;
  }
}

/** @throws Failure `forbidden` for a request that a page of another site could have made */
export function refuseOtherSites(request: Request): void {
  const { name, value } = CONSOLE_HEADER;
  if (request.headers[name.toLowerCase()] !== value) {
    throw new Failure('forbidden', `This route is for the console: send the header ${name}: ${value}.`);
  }
}

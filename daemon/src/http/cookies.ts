import type { CookieOptions, Request, Response } from 'express';

/**
 * One HttpOnly cookie. Over https its name has the prefix `__Secure-`, with which browsers take it from https pages only. Over
 * http it has neither the prefix nor `Secure`, because browsers would refuse it.
 */
export class Cookie {
  readonly #name: string;
  readonly #plainName: string;
  readonly #options: CookieOptions;

  constructor(name: string, { secure, ...options }: CookieOptions & { secure: boolean; path: string }) {
    this.#plainName = name;
    this.#name = secure ? `__Secure-${name}` : name;
    this.#options = { ...options, secure, httpOnly: true };
  }

  /** Replaces a cookie of the name without the prefix, which earlier versions set. */
  set(response: Response, value: string, maxAgeSeconds: number): void {
    response.cookie(this.#name, value, { ...this.#options, maxAge: maxAgeSeconds * 1000 });
    this.#clearPlain(response);
  }

  clear(response: Response): void {
    response.clearCookie(this.#name, this.#options);
    this.#clearPlain(response);
  }

  read(request: Request): string | undefined {
    const pairs = (request.headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.split('=', 2).map((text) => text.trim()));
    const sent = (name: string) => pairs.find(([found, value]) => found === name && value)?.[1];
    return sent(this.#name) ?? sent(this.#plainName);
  }

  #clearPlain(response: Response): void {
    if (this.#plainName !== this.#name) response.clearCookie(this.#plainName, this.#options);
  }
}

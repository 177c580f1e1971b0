import type { CookieOptions, Request, Response } from 'express';

type Options = CookieOptions & {
  secure: boolean;
  path: string;
  /** True if earlier versions used the name without the prefix. Such a cookie is read once and replaced. */
  hadPlainName?: boolean;
};

/**
 * One HttpOnly cookie. Over https its name has the prefix `__Secure-`, which browsers accept only from https pages.
 * Over http it has neither the prefix nor `Secure`, because browsers would reject it.
 */
export class Cookie {
  readonly #name: string;
  readonly #formerName: string | undefined;
  readonly #options: CookieOptions;

  constructor(name: string, { secure, hadPlainName = false, ...options }: Options) {
    this.#name = secure ? `__Secure-${name}` : name;
    this.#formerName = secure && hadPlainName ? name : undefined;
    this.#options = { ...options, secure, httpOnly: true };
  }

  set(response: Response, value: string, maxAgeSeconds: number): void {
    response.cookie(this.#name, value, { ...this.#options, maxAge: maxAgeSeconds * 1000 });
    this.#clearFormer(response);
  }

  clear(response: Response): void {
    response.clearCookie(this.#name, this.#options);
    this.#clearFormer(response);
  }

  read(request: Request): string | undefined {
    const pairs = (request.headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.split('=', 2).map((text) => text.trim()));
    const sent = (name: string) => pairs.find(([found, value]) => found === name && value)?.[1];
    return sent(this.#name) ?? (this.#formerName && sent(this.#formerName));
  }

  #clearFormer(response: Response): void {
    if (this.#formerName !== undefined) response.clearCookie(this.#formerName, this.#options);
  }
}

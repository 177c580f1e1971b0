import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Last point of the previous page; undefined for the first page, which starts at the newest point. */
export interface PagePosition {
  startMs: number;
  id: string;
}

/** Creates and reads opaque tokens that are valid only for the request that created them. */
export class PageTokens {
  private readonly key = randomBytes(32);

  /**
   * @param request all parameters that must not change between pages
   */
  mint(request: unknown, position: unknown): string {
    const content = Buffer.from(JSON.stringify(position ?? null)).toString('base64url');
    return `${content}.${this.seal(request, content)}`;
  }

  /**
   * @returns undefined for an invalid token or another request's token. `position` is null if the page starts at the
   *   newest point.
   */
  read<T>(request: unknown, token: string): { position: T | null } | undefined {
    const [content = '', seal] = token.split('.');
    if (seal !== this.seal(request, content)) return undefined;
    return { position: JSON.parse(Buffer.from(content, 'base64url').toString()) as T | null };
  }

  private seal(request: unknown, content: string): string {
    const digest = createHash('sha256').update(JSON.stringify(request)).digest();
    return createHmac('sha256', this.key).update(digest).update(content).digest('base64url').slice(0, 24);
  }
}

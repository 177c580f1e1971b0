import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Where a page begins: after this point of the stream; undefined: at its newest. */
export interface PagePosition {
  startMs: number;
  id: string;
}

/** Opaque tokens, good only for the request that they were given for. */
export class PageTokens {
  private readonly key = randomBytes(32);

  /** @param request everything that must not change between pages */
  mint(request: unknown, position: unknown): string {
    const content = Buffer.from(JSON.stringify(position ?? null)).toString('base64url');
    return `${content}.${this.seal(request, content)}`;
  }

  /** @returns undefined for a token of another request, or none at all; null for the newest */
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

import { randomBytes } from 'node:crypto';
import { CONNECT_LANGUAGES, type ConnectLanguage } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import {
  beginConnectLink,
  createConnectLink,
  listConnectLinks,
  renewConnectLink,
  revokeConnectLink,
  showConnectPage,
} from '@healthd/schemas';
import type { Request, Response } from 'express';
import { type ConnectLinks, type Consents, isUsed, type LinkRow, statusOf } from '../../connections/index.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind } from '../binding.js';
import { connectPage, endedPage, type Operator, withdrawnPage } from '../connect-page/connect-page.js';
import type { ConsentCookie } from '../consent-cookie.js';

export interface ConnectLinkRouteServices {
  consents: Consents;
  links: ConnectLinks;
  cookie: ConsentCookie;
  operator: Operator;
}

/** Routes for connect links, with which users connect providers themselves, and for their page. */
export function connectLinkRoutes({ consents, links, cookie, operator }: ConnectLinkRouteServices): Binding[] {
  function send(
    request: Request,
    response: Response,
    status: number,
    language: ConnectLanguage | null | undefined,
    html: (page: { operator: Operator; language: ConnectLanguage; nonce: string }) => string,
  ): void {
    const nonce = randomBytes(16).toString('base64');
    response
      .status(status)
      .set('Content-Security-Policy', policyOf(nonce))
      .set('Cache-Control', 'no-store')
      .set('X-Robots-Tag', 'noindex')
      .type('html');
    keepOpener(response);
    response.send(html({ operator, language: language ?? languageOf(request), nonce }));
  }

  /**
   * Redirects to the vendor's consent page, or to the link's page if the provider was connected or disabled in the
   * meantime.
   */
  async function redirect(
    { link, token, provider }: { link: LinkRow; token: string; provider: ProviderId },
    browser: string,
    { request, response }: { request: Request; response: Response },
  ): Promise<void> {
    keepOpener(response);
    response.set('Cache-Control', 'no-store');
    const page = `/connect/${token}?provider=${provider}`;
    if (isUsed(link, provider)) return response.redirect(303, page);
    try {
      const user = { id: link.user_id, userKey: link.user_key };
      await consents.redirect(user, provider, { link: { id: link.id }, browser }, { request, response });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'conflict') throw error;
      if (await links.claim(link.id, provider)) await links.settle(link.id, provider, { error: 'provider_disabled' });
      response.redirect(303, page);
    }
  }

  return [
    bind(createConnectLink, ({ user, body }) => links.create(user, body ?? {})),
    bind(listConnectLinks, async ({ user }) => ({ items: await links.ofUser(user.userKey) })),
    bind(renewConnectLink, ({ user, params }) => links.renew(user.userKey, params.link_id)),
    bind(revokeConnectLink, async ({ user, params }) => {
      await links.revoke(user.userKey, params.link_id);
      return undefined;
    }),
    bind(showConnectPage, async ({ params, query, request, response }) => {
      const link = await links.find(params.token, cookie.read(request));
      if (link?.revoked_at) {
        send(request, response, 410, link.language, (page) =>
          withdrawnPage({ ...page, link, cameFrom: query.provider }),
        );
        return undefined;
      }
      if (!link || !isShown(link, query.provider)) {
        send(request, response, link ? 410 : 404, link?.language, endedPage);
        return undefined;
      }
      const { token } = params;
      send(request, response, 200, link.language, (page) =>
        connectPage({ ...page, link, token, cameFrom: query.provider, now: new Date() }),
      );
      return undefined;
    }),
    bind(beginConnectLink, async ({ params, request, response, note }) => {
      const { token, provider } = params;
      const link = await links.find(token, cookie.read(request));
      if (!link || statusOf(link) !== 'open' || !link.providers.includes(provider)) {
        send(request, response, link ? 410 : 404, link?.language, (page) =>
          link?.revoked_at ? withdrawnPage({ ...page, link, cameFrom: undefined }) : endedPage(page),
        );
        return undefined;
      }
      note({ userId: link.user_id });
      const browser = cookie.ensure(request, response);
      await links.rememberBrowser(link.id, browser);
      await redirect({ link, token, provider }, browser, { request, response });
      return undefined;
    }),
  ];
}

/**
 * True if the link's page may be shown. A user who returns from a consent sees its outcome, even if the consent used up
 * the link, or the link expired during the consent.
 */
function isShown(link: LinkRow, returnedFrom: string | undefined): boolean {
  const status = statusOf(link);
  return (
    status === 'open' ||
    status === 'used' ||
    (status === 'expired' && link.uses.some((use) => use.provider === returnedFrom))
  );
}

/**
 * Keeps `window.opener` if another page opened the window, so that the link's page can notify that page of the outcome.
 */
export function keepOpener(response: Response): void {
  response.set('Cross-Origin-Opener-Policy', 'unsafe-none');
}

/**
 * Returns the content security policy, without `form-action`: browsers apply it to every redirect of a submitted form,
 * and vendors redirect users to unknown login hosts.
 */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "img-src 'self'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function languageOf(request: Request): ConnectLanguage {
  const accepted = request.acceptsLanguages([...CONNECT_LANGUAGES]);
  return CONNECT_LANGUAGES.find((language) => language === accepted) ?? 'en';
}

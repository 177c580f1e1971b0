import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import {
  authorizeProvider,
  completeAuthorization,
  showConnected,
  showConnectionError,
  startAuthorization,
} from '@healthd/schemas';
import type { Request, Response } from 'express';
import { type ConsentOutcome, type Consents, knownMessage } from '../../connections/index.js';
import { Failure, type FailureCode } from '../../platform/failures.js';
import { sendPage, wantsPage } from '../responses.js';
import { type Binding, bind, type UserRef } from '../binding.js';
import type { ConsentCookie } from '../consent-cookie.js';
import { keepOpener } from './connect-links.js';

export interface OAuthRouteServices {
  consents: Consents;
  findUser(id: string): Promise<UserRef | undefined>;
  cookie: ConsentCookie;
  /** True if every consent is bound to the browser that starts it (CONSENT_BINDING). */
  bindsBrowser: boolean;
}

/** Routes to a vendor's consent page and back. */
export function oauthRoutes({ consents, findUser, cookie, bindsBrowser }: OAuthRouteServices): Binding[] {
  return [
    bind(authorizeProvider, async ({ params, query, caller, request, response }) => {
      const user = await findUser(query.user_id);
      if (!user) throw new Failure('not_found', `User with ID: ${query.user_id} not found.`);
      // Binds a public caller's consent to the browser, because any web page may be that caller.
      const isPublic = caller.kind === 'public';
      const start = { redirectUri: query.redirect_uri, bindsBrowser: bindsBrowser || isPublic, isPublic };
      return consents.authorize(user, params.provider, start, { request, response });
    }),
    bind(startAuthorization, async ({ params, query, request, response }) => {
      // Ignores HEAD requests, which URL previews send: they must not use up the link.
      if (request.method === 'HEAD') {
        response.status(303).end();
        return undefined;
      }
      const browser = cookie.ensure(request, response);
      keepOpener(response);
      await consents.start(params.provider, query.state ?? '', browser, { request, response });
      return undefined;
    }),
    bind(completeAuthorization, async ({ params, query, request, response, note }) => {
      const outcome = await consents.complete(params.provider, { ...query, request, response }, cookie.read(request));
      if (outcome.user) note({ userId: outcome.user.id });
      sendBack(request, response, params.provider, outcome);
      return undefined;
    }),
    bind(showConnected, async ({ query, request, response }) => {
      const message = `Successfully connected to ${query.provider}`;
      if (wantsPage(request)) {
        sendPage(response, { title: `Connected to ${PROVIDER_NAMES[query.provider]}`, isGood: true });
      }
      return { success: true as const, message, user_id: query.user_id, provider: query.provider };
    }),
    bind(showConnectionError, async ({ query, request, response }) => {
      const message = knownMessage(query.message);
      if (wantsPage(request)) sendPage(response, { title: 'Not connected', text: message, isGood: false });
      return { success: false as const, message };
    }),
  ];
}

/**
 * Redirects to the link's page, the application's URL or one of our pages. If no redirect is possible, responds
 * directly.
 */
function sendBack(request: Request, response: Response, provider: ProviderId, outcome: ConsentOutcome): void {
  const { redirectUri, link } = outcome;
  if (link) {
    keepOpener(response);
    response.redirect(303, `/connect/${link.id}?provider=${provider}`);
    return;
  }
  if ('connection' in outcome) {
    const query = new URLSearchParams({ provider, user_id: outcome.connection.userId });
    response.redirect(303, redirectUri ?? `/api/v1/oauth/success?${query}`);
    return;
  }
  const { error, message, status } = outcome.problem;
  if (redirectUri !== undefined) {
    const address = new URL(redirectUri);
    address.searchParams.set('error', error);
    address.searchParams.set('error_description', message);
    response.redirect(303, address.href);
  } else if (status === undefined) {
    response.redirect(303, `/api/v1/oauth/error?${new URLSearchParams({ message })}`);
  } else sendProblem(request, response, { status, message });
}

function sendProblem(
  request: Request,
  response: Response,
  { status, message }: { status: keyof typeof CODES; message: string },
): void {
  if (!wantsPage(request)) throw new Failure(CODES[status], message);
  sendPage(response.status(status), { title: 'Not connected', text: message, isGood: false });
}

const CODES = { 400: 'bad_request', 409: 'conflict', 503: 'unavailable' } as const satisfies Record<
  number,
  FailureCode
>;

import { authorizeProvider, oauthCallback, oauthError, oauthSuccess } from '@healthd/contract';
import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { Request, Response } from 'express';
import { type ConsentOutcome, type Consents, knownMessage } from '../../connections/index.js';
import { Failure, type FailureCode } from '../../platform/failures.js';
import { type Binding, bind, type UserRef } from '../binding.js';
import { resultPage } from '../result-page.js';
import { keepOpener } from './connect-links.js';

export interface OAuthRouteServices {
  consents: Consents;
  findUser(id: string): Promise<UserRef | undefined>;
}

/** The way of a person to a vendor's consent page and back. */
export function oauthRoutes({ consents, findUser }: OAuthRouteServices): Binding[] {
  return [
    bind(authorizeProvider, async ({ params, query }) => {
      const user = await findUser(query.user_id);
      if (!user) throw new Failure('not_found', `User with ID: ${query.user_id} not found.`);
      return consents.begin(user, params.provider, query.redirect_uri);
    }),
    bind(oauthCallback, async ({ params, query, request, response, note }) => {
      const outcome = await consents.complete(params.provider, query);
      if (outcome.user) note({ userId: outcome.user.id });
      sendBack(request, response, params.provider, outcome);
      return undefined;
    }),
    bind(oauthSuccess, async ({ query, request, response }) => {
      const message = `Successfully connected to ${query.provider}`;
      if (wantsPage(request)) {
        sendPage(response, 200, { title: `Connected to ${PROVIDER_NAMES[query.provider]}`, isGood: true });
      }
      return { success: true as const, message, user_id: query.user_id, provider: query.provider };
    }),
    bind(oauthError, async ({ query, request, response }) => {
      const message = knownMessage(query.message);
      if (wantsPage(request)) sendPage(response, 200, { title: 'Not connected', text: message, isGood: false });
      return { success: false as const, message };
    }),
  ];
}

/**
 * To the page of the link or the one that the application named, else to a page of ours; what cannot go on is answered
 * here.
 */
function sendBack(request: Request, response: Response, provider: ProviderId, outcome: ConsentOutcome): void {
  const { redirectUri, link } = outcome;
  if (link) {
    keepOpener(response);
    response.redirect(303, `/connect/${link.token}?provider=${provider}`);
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
  } else if (wantsPage(request)) {
    sendPage(response, status, { title: 'Not connected', text: message, isGood: false });
  } else {
    throw new Failure(CODES[status], message);
  }
}

const CODES = { 400: 'bad_request', 409: 'conflict', 503: 'unavailable' } as const satisfies Record<
  number,
  FailureCode
>;

function wantsPage(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

function sendPage(response: Response, status: number, content: Parameters<typeof resultPage>[0]): void {
  response.status(status).type('html').send(resultPage(content));
}

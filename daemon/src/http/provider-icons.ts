import { isProviderId } from '@healthd/model';
import { providerIcon } from '@healthd/providers';
import type { Express } from 'express';

/** Serves the providers' icons without a credential. */
export function mountProviderIcons(app: Express): void {
  app.get('/static/provider-icons/:file', (request, response, next) => {
    const [, id = ''] = /^([a-z_]+)\.svg$/.exec(request.params.file) ?? [];
    if (!isProviderId(id)) return next();
    // Allows pages of any origin, because applications build their own provider lists.
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=86400',
    });
    response.type('image/svg+xml').send(providerIcon(id));
  });
}

/**
 * Ties a consent to the browser that began it. The page after a consent is found by that browser, so the token of a link is no
 * longer stored with the consent.
 */
export const consentBrowsers = {
  name: '2026-11-27_30_consent_browsers',
  sql: `
-- They are tied to no browser. The person presses the button of the link again.
delete from oauth_state where link_id is not null;

alter table oauth_state
  drop column link_token,
  -- SHA-256 of the cookie of the browser that began the consent. Null: the consent is tied to no browser.
  add column browser_hash bytea,
  -- The vendor's address, sealed, until a browser opens the address of the service.
  add column start_secret text;
create unique index oauth_state_browser on oauth_state (link_id, provider, browser_hash) where link_id is not null;

-- The last browsers that began a consent with the link, the newest first.
alter table connect_link add column browser_hash bytea[] not null default '{}';
`,
};

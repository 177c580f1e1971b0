import type { ConnectLanguage } from '@healthd/contract';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import { iconUrl, isUsed, type LinkRow, statusOf } from '../../connections/index.js';
import { escaped } from '../html.js';
import { CONNECT_TEXTS, type ConnectTexts, DATA_NAMES } from './texts.js';

/** The operator as shown on the page. */
export interface Operator {
  name: string | undefined;
  /** Button color, `#rrggbb`. */
  color: string;
}

interface PageInput {
  operator: Operator;
  language: ConnectLanguage;
  /** Nonce that the content security policy requires of styles and script. */
  nonce: string;
}

export interface ConnectPageInput extends PageInput {
  link: LinkRow;
  token: string;
  /** Provider from whose consent the user returns. */
  cameFrom: string | undefined;
  now: Date;
}

/** Renders a link's page with its providers and their outcomes, but without the user's data. Escapes every text. */
export function connectPage(input: ConnectPageInput): string {
  const { link, operator, language, nonce, cameFrom: returnedFrom } = input;
  const texts = CONNECT_TEXTS[language];
  const returnedUse = useOf(link, returnedFrom);
  const title = operator.name ? texts.titleWith(operator.name) : texts.title;
  const isDone = statusOf(link) === 'used';
  const body = `
${returnedUse ? outcome(returnedUse, texts, language) : ''}
<h1>${escaped(title)}</h1>
<p class="lead">${escaped(isDone ? texts.allDone : texts.lead)}</p>
<ul>${link.providers.map((provider) => providerRow(provider, input, texts)).join('')}</ul>
${continueLink(link, texts)}
<p class="small">${isDone ? '' : escaped(`${texts.lasts(duration(link, input))} ${texts.onlyYours}`)}</p>
${returnedUse && link.opener_origin ? openerScript(returnedUse, link.opener_origin, nonce) : ''}`;
  return frame(input, title, body);
}

/** Renders the page of an expired or unknown link. Both look the same, so the page reveals nothing. */
export function endedPage(input: PageInput): string {
  const { ended, endedHelp } = CONNECT_TEXTS[input.language];
  return frame(input, ended, `<h1>${escaped(ended)}</h1><p class="lead">${escaped(endedHelp)}</p>`);
}

/** Renders the page of a revoked link. A user who returns from a consent also sees its outcome. */
export function withdrawnPage(input: Omit<ConnectPageInput, 'token' | 'now'>): string {
  const { link, language, nonce, cameFrom: returnedFrom } = input;
  const texts = CONNECT_TEXTS[language];
  const returnedUse = useOf(link, returnedFrom);
  const body = `
${returnedUse ? outcome(returnedUse, texts, language) : ''}
<h1>${escaped(texts.withdrawn)}</h1><p class="lead">${escaped(texts.withdrawnHelp)}</p>
${returnedUse && link.opener_origin ? openerScript(returnedUse, link.opener_origin, nonce) : ''}`;
  return frame(input, texts.withdrawn, body);
}

type LinkUse = LinkRow['uses'][number];

function useOf({ uses }: LinkRow, returnedFrom: string | undefined): LinkUse | undefined {
  return uses.find(({ provider, state }) => provider === returnedFrom && state !== 'claimed');
}

function providerRow(provider: ProviderId, { link, token }: ConnectPageInput, texts: ConnectTexts): string {
  const name = escaped(PROVIDER_NAMES[provider]);
  const failed = link.uses.some((use) => use.provider === provider && use.state === 'failed');
  const action = isUsed(link, provider)
    ? `<span class="done"><span aria-hidden="true">&#10003;</span> ${escaped(texts.done)}</span>`
    : `<form method="post" action="/connect/${escaped(token)}/${provider}"><button aria-label="${escaped(
        `${failed ? texts.tryAgain : texts.connect}: ${PROVIDER_NAMES[provider]}`,
      )}">${escaped(failed ? texts.tryAgain : texts.connect)}</button></form>`;
  return `<li><img src="${iconUrl(provider)}" alt="" width="28" height="28"><span class="name">${name}</span>${action}</li>`;
}

function outcome(use: LinkUse, texts: ConnectTexts, language: ConnectLanguage): string {
  const name = PROVIDER_NAMES[use.provider];
  const missing = use.missing_data_types.map((code) => DATA_NAMES[language][code] ?? code.replaceAll('_', ' '));
  const [kind, head, help] =
    use.state === 'failed'
      ? [
          'bad',
          use.error === 'link_revoked' ? texts.notWithThis(name) : texts.failed(name),
          texts.failures[use.error ?? 'other'] ?? texts.failures.other,
        ]
      : use.error === 'not_linked'
        ? ['warn', texts.notLinked(name), texts.notLinkedHelp]
        : use.state === 'partial'
          ? ['warn', texts.partial(name, missing.join(', ')), texts.partialHelp]
          : ['good', texts.connected(name), texts.arrives];
  const role = use.state === 'failed' ? 'alert' : 'status';
  return `<div class="outcome ${kind}" role="${role}"><b>${escaped(head)}</b><span>${escaped(help)}</span></div>`;
}

/** Renders the link to the application's URL. The URL has no added parameters, and no referrer is sent. */
function continueLink(link: LinkRow, texts: ConnectTexts): string {
  if (link.redirect_uri === null) return '';
  const isConnected = link.providers.some((provider) => isUsed(link, provider));
  const look = isConnected ? 'button' : 'quiet';
  const words = isConnected ? texts.goOn : texts.back;
  return `<p class="on"><a class="${look}" href="${escaped(link.redirect_uri)}" rel="noreferrer">${escaped(words)}</a></p>`;
}

/** Renders the script that notifies the opener page, if its origin is allowed. */
function openerScript({ provider, state }: LinkUse, origin: string, nonce: string): string {
  const message = scriptJson({ type: 'healthd.connect', provider, outcome: state });
  return `<script nonce="${nonce}">if (window.opener) window.opener.postMessage(${message}, ${scriptJson(origin)});</script>`;
}

/** Serializes to JSON without `<`, which could end the surrounding script. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function duration(link: LinkRow, { now, language }: ConnectPageInput): string {
  const leftMs = Math.max(MS_PER_MINUTE, link.expires_at.getTime() - now.getTime());
  const [unit, unitMs] =
    leftMs >= 2 * MS_PER_DAY
      ? (['day', MS_PER_DAY] as const)
      : leftMs >= 2 * MS_PER_HOUR
        ? (['hour', MS_PER_HOUR] as const)
        : (['minute', MS_PER_MINUTE] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(leftMs / unitMs),
  );
}

function frame({ operator, language, nonce }: PageInput, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style nonce="${nonce}">${style(operator.color)}</style>
</head>
<body>
<main>${operator.name ? `<p class="operator">${escaped(operator.name)}</p>` : ''}${body}</main>
</body>
</html>
`;
}

/** Returns a color's relative luminance as in WCAG 2.2: 0 for black, 1 for white. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Luminance at which black and white text have the same contrast. This limit selects the text color of a button, so
 * that the contrast is at least 4.5.
 */
const MIDDLE_LUMINANCE = 0.179;

function style(color: string): string {
  const words = luminance(color) > MIDDLE_LUMINANCE ? '#000' : '#fff';
  return `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;--text:#16191d;--muted:#545d68;--ground:#f3f5f7;--surface:#fff;--line:#d8dde3;--good:#126b3a;--warn:#7a4d00;--bad:#a61b1b}
@media(prefers-color-scheme:dark){:root{--text:#eceff2;--muted:#a5afba;--ground:#101316;--surface:#191d21;--line:#323a42;--good:#5fd694;--warn:#f0bd58;--bad:#ff9a94}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text)}
main{max-width:30rem;margin:0 auto;padding:2rem 1rem 3rem}
.operator{margin:0 0 1.5rem;font-weight:600;color:var(--muted)}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem;overflow-wrap:anywhere}
.lead{margin:0 0 1.25rem;color:var(--muted)}
ul{list-style:none;margin:0;padding:0;background:var(--surface);border:1px solid var(--line);border-radius:12px}
li{display:flex;align-items:center;gap:.75rem;min-height:4rem;padding:.75rem 1rem}
li+li{border-top:1px solid var(--line)}
.name{flex:1;min-width:0;font-weight:600;overflow-wrap:anywhere}
form{margin:0}
button,.button{display:inline-block;border:0;border-radius:8px;padding:.6rem 1rem;min-height:2.75rem;font:inherit;font-weight:600;background:${color};color:${words};cursor:pointer;text-decoration:none}
button:focus-visible,a:focus-visible{outline:3px solid var(--text);outline-offset:2px}
.done{color:var(--good);font-weight:600;white-space:nowrap}
.quiet{color:var(--muted)}
.on{margin:1.25rem 0 0}
.small{margin:1.25rem 0 0;font-size:.875rem;color:var(--muted)}
.outcome{display:grid;gap:.25rem;margin:0 0 1.5rem;padding:.875rem 1rem;background:var(--surface);border:1px solid var(--line);border-left:4px solid var(--tone);border-radius:8px;overflow-wrap:anywhere}
.outcome b{color:var(--tone)}
.good{--tone:var(--good)}.warn{--tone:var(--warn)}.bad{--tone:var(--bad)}
`;
}

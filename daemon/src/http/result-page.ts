import { escaped } from './html.js';

/** Content of the page at the end of a consent. */
export interface ResultPage {
  title: string;
  text?: string;
  isGood: boolean;
}

const STYLE = `
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; }
  body { display: grid; place-content: center; min-height: 90vh; margin: 0; padding: 1rem; text-align: center; }
  .mark { font-size: 3rem; line-height: 1; }
  .good { color: #15803d; } .bad { color: #b91c1c; }
  h1 { font-size: 1.4rem; margin: 1rem 0 .5rem; } p { margin: .25rem 0; max-width: 32rem; }
  @media (prefers-color-scheme: dark) { .good { color: #4ade80; } .bad { color: #f87171; } }
`;

/** Renders a small page without scripts. Escapes every text. */
export function resultPage({ title, text, isGood }: ResultPage): string {
  const mark = isGood
    ? '<div class="mark good" aria-hidden="true">&#10003;</div>'
    : '<div class="mark bad" aria-hidden="true">!</div>';
  const lines = [text, isGood ? 'You can close this page.' : 'Go back to the application and try again.'];
  const paragraphs = lines.filter((line) => line !== undefined).map((line) => `<p>${escaped(line)}</p>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main role="${isGood ? 'status' : 'alert'}">
${mark}
<h1>${escaped(title)}</h1>
${paragraphs.join('\n')}
</main>
</body>
</html>
`;
}

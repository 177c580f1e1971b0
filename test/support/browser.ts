/** A browser that stores one service's cookies and follows no redirects. */
export class Browser {
  readonly cookies = new Map<string, string>();

  async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0) {
      headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const response = await fetch(address, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const expires = attributes.find((one) => one.startsWith('Expires='))?.slice('Expires='.length);
      if (expires && Date.parse(expires) <= Date.now()) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

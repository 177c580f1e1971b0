/** OAuth paths of a vendor, by role. */
interface OAuthPaths {
  authorize: string;
  token: string;
  revoke?: string;
}

/** Returns the role of a path; undefined for other paths. */
export function oauthRole(paths: OAuthPaths, path: string): 'authorize' | 'token' | 'revoke' | undefined {
  if (path === paths.authorize) return 'authorize';
  if (path === paths.token) return 'token';
  return path === paths.revoke ? 'revoke' : undefined;
}

/** Returns the URLs of the paths, by role. */
export function oauthUrls<Paths extends OAuthPaths>(origin: string, paths: Paths): { [Role in keyof Paths]: string } {
  const urls = Object.entries(paths).map(([role, path]) => [role, `${origin}${path}`]);
  return Object.fromEntries(urls) as { [Role in keyof Paths]: string };
}

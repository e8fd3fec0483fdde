/** The user that Git wants before an access token of Bitbucket; its API takes such a token alone. */
const TOKEN_USER = 'x-token-auth:'

/** The Authorization of a connection's token: HTTP Basic for `user:password`, Bearer for all others, none without one. */
export function basicOrBearer(token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined || token === '') return {}
  const alone = token.startsWith(TOKEN_USER) ? token.slice(TOKEN_USER.length) : token
  return alone.includes(':') ? basic(alone) : { authorization: `Bearer ${alone}` }
}

/** `credentials` is `user:password`. */
export function basic(credentials: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

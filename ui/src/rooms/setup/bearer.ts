/** The header of a request with a token. A token holds visible ASCII alone; anything else is none. */
export function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${/^[\x21-\x7e]+$/.test(token) ? token : 'none'}` }
}

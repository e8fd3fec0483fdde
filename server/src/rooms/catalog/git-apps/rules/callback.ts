import type { GitAppError, GitAppOutcome } from '@signalbox/contracts/git-apps'

/** The address of this service as the provider reaches it, without a slash at the end, or its fault. */
export type PublicUrl = { readonly url: string } | { readonly fault: string }

export interface CallbackAsked {
  /** As it was given: the address of the service, or of its registration callback. */
  readonly text: string
  /** The names of the provider that a path of its callback may have: `forge` stands for one of them. */
  readonly names: readonly string[]
  /** The configured address of the API; undefined: none is. */
  readonly configured: string | undefined
}

/** Reads `callback_url`. The fault is the end of a sentence that begins with the field. */
export function readCallback({ text, names, configured }: CallbackAsked): PublicUrl {
  if (!URL.canParse(text)) return { fault: 'must be an address such as https://ci.example.com' }
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { fault: 'must be an https address' }
  if (url.username !== '' || url.password !== '') return { fault: 'must not hold a user or a password' }
  // A lone "?" or "#" leaves nothing behind in the parsed address.
  if (/[?#]/.test(text)) return { fault: 'must not hold a query or a fragment' }
  const base = configured === undefined ? undefined : new URL(configured)
  if (base && base.origin !== url.origin) {
    return { fault: `must lead to this service, which base_url says is at ${base.origin}` }
  }
  const above = base ? base.pathname.replace(/\/+$/, '') : undefined
  const ends = ['', '/', ...names.map((name) => callbackPath(name, 'register'))]
  const end = ends.toSorted((a, b) => b.length - a.length).find((one) => url.pathname.endsWith(one)) ?? ''
  const prefix = url.pathname.slice(0, url.pathname.length - end.length)
  if (above === undefined ? prefix !== '' && prefix !== '/' : prefix.replace(/\/+$/, '') !== above) {
    return {
      fault: `must be the address of this service, or that of its ${callbackPath(names[0] ?? 'forge', 'register')}`,
    }
  }
  return { url: `${url.origin}${prefix.replace(/\/+$/, '')}` }
}

export function callbackPath(provider: string, flow: 'register' | 'install'): string {
  return `/v1/git-apps/${provider}/${flow}/callback`
}

/** The place in the page that says what a way back did. Nothing of the provider's words is in it. */
export function placeOfError(error: GitAppError): string {
  return `#/system/git-apps?error=${error}`
}

export function placeOfOutcome(outcome: GitAppOutcome, provider: string): string {
  return `#/system/git-apps?outcome=${outcome}&provider=${provider}`
}

import type { SignInError } from '@signalbox/contracts/identities'
import type { Means } from '../means.ts'
import { signInPlace } from '../rules/wanted-place.ts'

/** Where a browser goes next, and the cookies that it keeps or forgets. */
export interface Redirect {
  readonly location: string
  readonly setCookies: readonly string[]
}

export function toPage({ pages }: Means, place: string, setCookies: readonly string[] = []): Redirect {
  return { location: `${pages}/${place}`, setCookies }
}

/** The sign-in page with the reason. */
export function toSignIn(means: Means, error: SignInError, wanted: string): Redirect {
  return toPage(means, signInPlace(error, wanted))
}

/** Where a provider sends the browser back to. */
export function callbackOf({ api }: Means, provider: string): string {
  return `${api}/v1/sign-in/${provider}/callback`
}

import type { SignInError } from '@signalbox/contracts/identities'

/** Fits into the cookie of a sign-in, sealed. */
const PLACE = /^#\/[\x21-\x7e]{0,1500}$/

const HOME = '#/'

/**
 * The place in the page that somebody wants: the fragment of an address. Anything else becomes the home, so an answer
 * never leads out of the page.
 */
export function readPlace(asked: string | undefined): string {
  return asked !== undefined && PLACE.test(asked) ? asked : HOME
}

/** The page that says why nobody was signed in, and knows where they wanted to go. */
export function signInPlace(error: SignInError, wanted: string): string {
  const back = wanted === HOME ? '' : `&wanted=${encodeURIComponent(wanted.slice('#'.length))}`
  return `#/sign-in?error=${error}${back}`
}

/** The wanted place itself, told of the error: whoever links an account is signed in already. */
export function placeWithError(wanted: string, error: SignInError): string {
  return `${wanted}${wanted.includes('?') ? '&' : '?'}error=${error}`
}

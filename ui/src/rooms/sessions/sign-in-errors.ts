/** What to do when a provider has sent somebody back unknown, by the code in the address. */
const WORDS: Readonly<Record<string, string>> = {
  unknown_provider: 'This way to sign in does not exist any more. Choose another one.',
  expired: 'Signing in took too long, or the address was used twice. Try again.',
  denied: 'The provider was not allowed to tell who you are. Try again, and agree there.',
  provider_unreachable: 'The provider does not answer. Try again in a moment.',
  provider_invalid: 'The provider answered something that cannot be believed. Tell an administrator.',
  account_unknown: 'Nobody here has this account. Ask an administrator to make your user.',
  account_refused: 'This account may not sign in here. Ask an administrator.',
  account_disabled: 'Your user is disabled. Ask an administrator.',
  account_taken: 'This account belongs to another user already.',
  too_many_attempts: 'Too many attempts came from your address. Wait a minute, then try again.',
  unavailable: 'Signing in is not possible right now. Try again in a moment.',
}

/** Never the text of the address: anybody could write a link to it. */
export function wordsOf(error: string | undefined): string | undefined {
  if (error === undefined) return undefined
  return Object.hasOwn(WORDS, error) ? WORDS[error] : 'Signing in failed. Try again.'
}

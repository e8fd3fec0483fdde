/**
 * Rules for names that come from outside. They only say what can be a name: a valid ref may still hold quotes, dollar
 * signs or a leading dash, so that names are always data: arguments and variables, never part of a command's text.
 */

const FULL_NAME = /^~?[\w.-]+(?:\/[\w.-]+)+$/
const MAX_FULL_NAME = 400
const MAX_REF = 1_000
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const ZERO_SHA = /^0+$/

/** What `git check-ref-format` refuses: control characters, space, ~ ^ : ? * [ \, "..", "@{", "//" and a final "." or "/". */
const FORBIDDEN_IN_REF = /[[\p{Cc}--[\x80-\x9f]] ~^:?*\[\\]|\.\.|@\{|\/\/|[.\/]$/v

/**
 * "owner/name" or, with nested groups, "group/subgroup/name"; no segment is "." or "..". A "~" may stand before all of it:
 * so Bitbucket Data Center names a person's own repositories ("~mona/widgets").
 */
export function isFullName(value: string): boolean {
  return (
    value.length <= MAX_FULL_NAME &&
    FULL_NAME.test(value) &&
    !value.split('/').some((segment) => segment === '.' || segment === '..')
  )
}

/** A full ref below refs/, by the rules of `git check-ref-format`, at most 1,000 characters. */
export function isRef(value: string): boolean {
  if (!value.startsWith('refs/') || value.length > MAX_REF) return false
  if (FORBIDDEN_IN_REF.test(value) || !value.isWellFormed()) return false
  const segments = value.split('/')
  return segments.length >= 3 && !segments.some((segment) => segment.startsWith('.') || segment.endsWith('.lock'))
}

/** The bare name of a branch or tag as it was sent, or null when it cannot be one. Never repaired: it would be another ref. */
export function readBareRef(value: unknown, namespace: 'heads' | 'tags'): string | null {
  return typeof value === 'string' && isRef(`refs/${namespace}/${value}`) ? value : null
}

/** A whole commit name in lower case; undefined for the zero sha, an abbreviation and everything else. */
export function readSha(value: unknown): string | undefined {
  return typeof value === 'string' && SHA.test(value) && !ZERO_SHA.test(value) ? value : undefined
}

export function isZeroSha(value: unknown): boolean {
  return typeof value === 'string' && SHA.test(value) && ZERO_SHA.test(value)
}

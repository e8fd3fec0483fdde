import { FULL_REF } from '@signalbox/contracts/http'

/**
 * Rules for names that come from outside. A valid ref may still hold quotes, dollar signs or a leading dash. Names are
 * therefore always data: arguments and variables, never part of a command's text.
 */

const FULL_NAME = /^~?[\w.-]+(?:\/[\w.-]+)+$/
const MAX_FULL_NAME = 400
const FULL_REF_PATTERN = new RegExp(FULL_REF.pattern)
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const ZERO_SHA = /^0+$/

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
  return value.length <= FULL_REF.maxLength && FULL_REF_PATTERN.test(value) && value.isWellFormed()
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

import { isIP } from 'node:net'

/**
 * Why `ref` cannot be fetched; undefined when it can, or is empty. The rules of `git check-ref-format`, and it must
 * be a full ref: a bare name could mean a branch, a tag or a commit.
 */
export function refProblem(ref: string): string | undefined {
  if (ref === '') return undefined
  if (!ref.startsWith('refs/')) return `The ref ${JSON.stringify(ref)} is not a full ref such as refs/heads/main.`
  const malformed =
    /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/$|\.$/.test(ref) ||
    ref.split('/').some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock')) ||
    ref.split('/').length < 3
  return malformed ? `The ref ${JSON.stringify(ref)} is not a valid Git ref.` : undefined
}

/** Why `sha` is no commit; undefined when it is a full SHA-1 or SHA-256. */
export function shaProblem(sha: string): string | undefined {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sha) ? undefined : `${JSON.stringify(sha)} is not a full commit id.`
}

/** Whether a host name or address means this very machine. */
export function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true
  return isIP(bare) === 4 ? bare.startsWith('127.') : bare === '::1'
}

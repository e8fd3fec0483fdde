import { isIP } from 'node:net'

/** Where a repository lies, once it is known to be harmless as an argument of git. */
export type RepositoryAddress = {
  url: string
  kind: 'https' | 'http' | 'ssh' | 'local'
  /** `https://host:port`, as git names it when it asks for a credential. */
  origin: string | undefined
}

export type Refused = { refused: string }

const controlCharacters = /[\x00-\x1f\x7f]/

const sshShort = /^(?:([\w.][\w.-]*)@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)([^:].*)$/

/** Reads a clone URL. Local repositories pass only where the operator allows them. */
export const readAddress = (url: string, allowLocal: boolean): RepositoryAddress | Refused => {
  if (url === '') return { refused: 'The run names no repository URL.' }
  if (url.startsWith('-')) return { refused: 'The repository URL begins with "-", which git would take for an option.' }
  if (controlCharacters.test(url)) return { refused: 'The repository URL contains control characters.' }
  if (/^[A-Za-z0-9+.-]*::/.test(url)) {
    return { refused: 'The repository URL names a remote helper ("::"); use https://, ssh:// or http://.' }
  }
  if (url.startsWith('/')) return localAddress(url, allowLocal)
  if (!url.includes('://')) {
    return sshShort.test(url)
      ? { url, kind: 'ssh', origin: undefined }
      : { refused: 'The repository URL is not understood; use https://, ssh:// or user@host:path.' }
  }
  if (!URL.canParse(url)) return { refused: 'The repository URL is not a valid URL.' }
  const { protocol, host, hostname, password } = new URL(url)
  if (password !== '') {
    return { refused: 'The repository URL contains a password; give the source a credential instead.' }
  }
  switch (protocol) {
    case 'https:':
    case 'http:':
      return { url, kind: protocol === 'https:' ? 'https' : 'http', origin: `${protocol}//${host}` }
    case 'ssh:':
      if (hostname.startsWith('-')) return { refused: 'The host of the repository URL begins with "-".' }
      return { url, kind: 'ssh', origin: undefined }
    case 'file:':
      return localAddress(url, allowLocal)
    default:
      return { refused: `The repository URL uses ${protocol}//; use https://, ssh:// or http://.` }
  }
}

const localAddress = (url: string, allowLocal: boolean): RepositoryAddress | Refused =>
  allowLocal
    ? { url, kind: 'local', origin: undefined }
    : { refused: 'The repository lies on the runner itself; start the runner with --allow-local-repositories.' }

/**
 * Why `ref` cannot be fetched; undefined when it can, or is empty. The rules of `git check-ref-format`, and it must
 * be a full ref: a bare name could mean a branch, a tag or a commit.
 */
export const refProblem = (ref: string): string | undefined => {
  if (ref === '') return undefined
  if (!ref.startsWith('refs/')) return `The ref ${JSON.stringify(ref)} is not a full ref such as refs/heads/main.`
  const malformed =
    /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/$|\.$/.test(ref) ||
    ref.split('/').some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock')) ||
    ref.split('/').length < 3
  return malformed ? `The ref ${JSON.stringify(ref)} is not a valid Git ref.` : undefined
}

/** Why `sha` is no commit; undefined when it is a full SHA-1 or SHA-256. */
export const shaProblem = (sha: string): string | undefined =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sha) ? undefined : `${JSON.stringify(sha)} is not a full commit id.`

/** Whether a host name or address means this very machine. */
export const isLoopback = (hostname: string): boolean => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true
  return isIP(bare) === 4 ? bare.startsWith('127.') : bare === '::1'
}

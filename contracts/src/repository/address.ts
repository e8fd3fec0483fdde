/**
 * Where a repository lies, once its address is known to be harmless as an argument of git. A remote one is read over the
 * network; a `local` one is a folder of the machine that reads it, and needs the operator's leave.
 */
export type RepositoryAddress =
  | { readonly kind: 'https' | 'http'; readonly url: string; readonly origin: string }
  | { readonly kind: 'ssh'; readonly url: string }
  | { readonly kind: 'local'; readonly path: string }

/** The end of a sentence that begins with the name of the field. */
export interface AddressFault {
  readonly fault: string
}

/** Longer than any address of a provider. */
export const MAX_REPOSITORY_ADDRESS = 2_000

const REMEDY = 'use an address such as https://host/owner/name.git'
const FORM =
  'must be an address such as https://host/owner/name.git, ssh://git@host/owner/name.git or git@host:owner/name.git'

// One reading only: git, curl and the URL standard disagree about backslashes, escapes in hosts and several "@".
const HOST = String.raw`(?!-)(?:[^\s\p{Cc}\\@/?#%:\[\]]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?`
const PATH = String.raw`[^\s\p{Cc}\\?#]*`
const HTTP = new RegExp(`^(https?)://${HOST}(?:/${PATH})?$`, 'u')
const SSH = new RegExp(`^ssh://(?:\\w[\\w.-]*@)?${HOST}/${PATH}$`, 'u')
/** A host of one letter is a drive of Windows; a path that begins with "-" would be an option of the other side. */
const SSH_SHORT = new RegExp(`^(?:\\w[\\w.-]*@)?([A-Za-z0-9][A-Za-z0-9.-]+):(?![-:]|//)(?=.)${PATH}$`, 'u')
const WITH_USER = /^https?:\/\/[^/?#]*@|^ssh:\/\/[^/?#]*:[^/?#]*@/i
const SCHEMES: ReadonlySet<string> = new Set(['file', 'http', 'https', 'ssh', 'git', 'ftp', 'ftps', 'ext', 'fd'])

/**
 * Reads the address of a repository. A plain address over https, http or ssh, or an absolute path, is
 * taken. All else is refused: options, transport helpers (`ext::` runs a command), other protocols, credentials.
 */
export function readRepositoryAddress(text: string): RepositoryAddress | AddressFault {
  if (text === '') return { fault: 'is empty; it must name a repository' }
  if (text.length > MAX_REPOSITORY_ADDRESS) return { fault: `is longer than ${MAX_REPOSITORY_ADDRESS} characters` }
  if (text.startsWith('-')) return { fault: `begins with "-", which git would take for an option; ${REMEDY}` }
  if (/[\s\p{Cc}\\]/u.test(text)) return { fault: `holds a space, a control character or a backslash; ${REMEDY}` }
  if (/^[^/]*::/.test(text)) return { fault: `names a transport helper ("::"); ${REMEDY}` }
  if (WITH_USER.test(text)) return { fault: 'holds a user or a password; give the source a credential instead' }
  if (text.startsWith('/') || text.startsWith('file:')) return readLocal(text)
  const [, scheme] = HTTP.exec(text) ?? []
  if (scheme !== undefined && URL.canParse(text)) {
    return { kind: scheme === 'https' ? 'https' : 'http', url: text, origin: new URL(text).origin }
  }
  if (SSH.test(text) && URL.canParse(text)) return { kind: 'ssh', url: text }
  const [, host] = SSH_SHORT.exec(text) ?? []
  return host === undefined || SCHEMES.has(host.toLowerCase()) ? { fault: FORM } : { kind: 'ssh', url: text }
}

function readLocal(text: string): RepositoryAddress | AddressFault {
  const path = text.startsWith('/') ? text : decodePath(text)
  const plain = path === undefined ? undefined : readAbsolutePath(path)
  return plain === undefined
    ? {
        fault:
          'must be a plain absolute path where it names a folder: file:///folder/name.git, without ".", ".." and "*"',
      }
    : { kind: 'local', path: plain }
}

/** Undefined where the address names another machine, or holds a wrong escape. */
function decodePath(url: string): string | undefined {
  const [, path] = /^file:\/\/(\/[^?#]*)$/.exec(url) ?? []
  try {
    return path === undefined ? undefined : decodeURIComponent(path)
  } catch {
    return undefined
  }
}

const NO_PLAIN_PARTS: ReadonlySet<string> = new Set(['', '.', '..', '*'])

/**
 * An absolute path below the root, as it is written and without a slash at its end; undefined for any other. The path
 * has no part ".", ".." or empty, so that it lies where it seems to lie, as far as no link is on the way. A part "*" is
 * refused, too: git reads `safe.directory = /folder/*` as a pattern, and would trust every repository of the folder.
 */
export function readAbsolutePath(text: string): string | undefined {
  const path = text.length > 1 ? text.replace(/\/$/, '') : text
  if (!path.startsWith('/') || /[\p{Cc}\\]/u.test(path)) return undefined
  const parts = path.slice(1).split('/')
  return parts.some((part) => NO_PLAIN_PARTS.has(part)) ? undefined : path
}

/** Whether a path is one of the folders or lies below one. All are as `readAbsolutePath` answers them. */
export function liesWithin(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
}

/**
 * The fault of an address, as the end of a sentence that begins with the field. Undefined: the address is sound, or there
 * is none. `localFolders` are the folders whose repositories the operator lets runners read.
 */
export function findAddressFault(text: string | null | undefined, localFolders: readonly string[]): string | undefined {
  if (text === null || text === undefined) return undefined
  const address = readRepositoryAddress(text)
  if ('fault' in address) return address.fault
  if (address.kind !== 'local' || liesWithin(address.path, localFolders)) return undefined
  return 'names a folder that is in none of local_repositories; use https:// or ssh://, or let an operator add the folder'
}

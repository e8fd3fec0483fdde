import { readRepositoryAddress } from '@signalbox/contracts/repository'
import { readBaseUrl } from '#platform/config'

export { readBaseUrl }

/** The fields of a source that tell where its provider is. */
export interface AddressedSource {
  readonly baseUrl: string | null
}

/** The fields of a forge that tell where the provider is. */
export interface PublicForge {
  readonly publicUrl: string | null
}

/**
 * The provider's address, without a slash at the end. Undefined where no address is known, and where its host is no
 * longer, or never was, one of `provider_hosts`. Nobody is then called and no credential is sent.
 */
export function addressOf(source: AddressedSource, forge: PublicForge, hosts: readonly string[]): string | undefined {
  const address = source.baseUrl ?? forge.publicUrl
  if (address === null) return undefined
  const read = readBaseUrl(address, hosts)
  return 'url' in read ? read.url : undefined
}

/** Scheme, host and port to which the credential of a source may go; undefined: nowhere. */
export function originOf(source: AddressedSource, forge: PublicForge, hosts: readonly string[]): string | undefined {
  const address = addressOf(source, forge, hosts)
  return address === undefined ? undefined : new URL(address).origin
}

/** The fields of a forge that tell where it has a repository. */
export interface CloneScheme {
  cloneUrl(baseUrl: string, repository: string): string | null
}

/**
 * The address to clone an event's repository from: the event's own, else the documented address below the source's.
 * Null where both are unknown, and where the repository's page lies on another host than the source's.
 */
export function cloneUrlOf(
  repository: { readonly full_name: string; readonly clone_url: string | null; readonly web_url: string | null },
  forge: CloneScheme | undefined,
  address: string | undefined,
): string | null {
  const { full_name: fullName, clone_url: given, web_url: page } = repository
  if (given !== null || forge === undefined || address === undefined) return given
  if (page !== null && URL.parse(page)?.origin !== URL.parse(address)?.origin) return null
  return forge.cloneUrl(address, fullName)
}

/**
 * The reference of the credential that a checkout from `cloneUrl` may use. A clone address comes with the event: one of
 * another origin than the provider's gets none.
 */
export function credentialFor(
  source: { readonly checkoutCredentialRef: string | null },
  origin: string | undefined,
  cloneUrl: string | null,
): string | null {
  // Asked first: most sources have none, and to read an address costs as much as to match an event.
  if (source.checkoutCredentialRef === null) return null
  return isReachable(origin, cloneUrl) ? source.checkoutCredentialRef : null
}

/** Whether a clone address, which comes with the event, is one of the source's own provider. */
export function isReachable(origin: string | undefined, cloneUrl: string | null): cloneUrl is string {
  if (origin === undefined || cloneUrl === null) return false
  const address = readRepositoryAddress(cloneUrl)
  return 'origin' in address && address.origin === origin
}

/** Whether a source reads the repository that is cloned from there. */
export function readsRepository(
  source: { readonly readRepository: boolean },
  origin: string | undefined,
  cloneUrl: string | null,
): boolean {
  return source.readRepository && isReachable(origin, cloneUrl)
}

/** Why nothing is asked about the repository that is cloned from there, without a full stop; undefined: it may be asked. */
export function whyUnreachable(origin: string | undefined, cloneUrl: string | null): string | undefined {
  if (isReachable(origin, cloneUrl)) return undefined
  if (origin === undefined) return 'The host of base_url is not in provider_hosts'
  if (cloneUrl === null || !isAddress(cloneUrl)) return 'The delivery names no address to clone from'
  return `The repository is cloned from ${originShown(cloneUrl)}, which is not the base_url ${origin} of the source`
}

function isAddress(cloneUrl: string): boolean {
  return URL.canParse(cloneUrl) && !('fault' in readRepositoryAddress(cloneUrl))
}

/** An address of ssh or of a file has no origin. */
function originShown(cloneUrl: string): string {
  const { origin, protocol, host } = new URL(cloneUrl)
  return origin === 'null' ? `${protocol}//${host}` : origin
}

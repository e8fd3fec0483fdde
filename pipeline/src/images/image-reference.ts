/**
 * The full reference that the name of an image stands for: `alpine` is `docker.io/library/alpine` with the tag
 * `latest`.
 */
export interface ImageReference {
  /** Host of the registry in lower case, with its port where the name has one. `localhost` alone is no registry. */
  readonly registry: string
  /** The path at that registry, such as `library/alpine`. */
  readonly repository: string
  /** Null where a digest names the image. */
  readonly tag: string | null
  /** `sha256:` or `sha512:` and the digits; null: the tag names the image. */
  readonly digest: string | null
}

/** `problem` continues a sentence that begins with the name: it tells the fault and the right form. */
export type ImageReading = ImageReference | { readonly problem: string }

/** An image whose name begins with `localhost/` was made on the machine of the runner: no registry has it. */
export const THIS_MACHINE = 'localhost'

const DOCKER_HUB = 'docker.io'
const LONGEST_NAME = 255
const LONGEST_TAG = 128

const HOST_PATTERN =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[a-f0-9:]+\])(?::(\d{1,5}))?$/
const COMPONENT_PATTERN = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/
const TAG_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/
const DIGEST_PATTERN = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/
const ADVICE = 'write one such as node:24-slim or ghcr.io/acme/web:1'

/**
 * Reads the name of an image by the grammar that registries share, with the defaults of Docker Hub. All code that looks
 * at a name asks here, so that validation, judgement and pull mean the same image.
 */
export function parseImageReference(text: string): ImageReading {
  const fault = findFault(text)
  if (fault !== undefined) return { problem: `is no reference of an image: ${fault}` }
  const { name, tag, digest } = splitReference(text)
  const { registry, path } = splitName(name)
  const repository = registry === DOCKER_HUB && !path.includes('/') ? `library/${path}` : path
  return { registry, repository, tag: digest === null ? (tag ?? 'latest') : null, digest }
}

/** Why a text cannot be the host of a registry, as a sentence without its subject; undefined: it can. */
export function findRegistryFault(text: string): string | undefined {
  if (text.length > LONGEST_NAME) return `it has ${text.length} characters, and at most ${LONGEST_NAME} are allowed`
  if (text.includes('://')) return `leave out ${text.slice(0, text.indexOf('://') + 3)}`
  if (/[A-Z]/.test(text)) return 'write it in lower case'
  const port = HOST_PATTERN.exec(text)
  if (port === null) return 'write a host, with a port where it has one, such as ghcr.io or registry.example.com:5000'
  return port[1] === undefined || isPort(port[1]) ? undefined : 'write a port from 1 to 65535'
}

/** The one name for a registry with several. */
export function normalRegistry(host: string): string {
  return host === 'index.docker.io' ? DOCKER_HUB : host
}

/** The name in full, as every engine understands it in the same way. */
export function formatImageReference(image: ImageReference): string {
  return `${formatRepository(image)}${image.digest === null ? `:${image.tag}` : `@${image.digest}`}`
}

/** Registry and path, without tag and digest. */
export function formatRepository({ registry, repository }: ImageReference): string {
  return `${registry}/${repository}`
}

interface Parts {
  readonly name: string
  readonly tag: string | null
  readonly digest: string | null
}

function splitReference(text: string): Parts {
  const at = text.indexOf('@')
  const digest = at === -1 ? null : text.slice(at + 1)
  const named = at === -1 ? text : text.slice(0, at)
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  return colon === -1
    ? { name: named, tag: null, digest }
    : { name: named.slice(0, colon), tag: named.slice(colon + 1), digest }
}

/** The first part is a host when it could be nothing else: it holds a dot or a colon, or is `localhost`. */
function splitName(name: string): { readonly registry: string; readonly path: string } {
  const slash = name.indexOf('/')
  const first = name.slice(0, Math.max(0, slash))
  const isHost = /[.:[]/.test(first) || first.toLowerCase() === THIS_MACHINE
  return isHost
    ? { registry: normalRegistry(first), path: name.slice(slash + 1) }
    : { registry: DOCKER_HUB, path: name }
}

function findFault(text: string): string | undefined {
  if (text === '') return `it is empty; ${ADVICE}`
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.exec(text)
  if (scheme) return `leave out ${scheme[0]}; ${ADVICE}`
  if (/[^\x21-\x7e]/.test(text))
    return `the name holds a space, a control character or another character that is not ASCII; ${ADVICE}`
  const { name, tag, digest } = splitReference(text)
  if (/^[0-9a-f]{64}$/.test(name)) return `the id of an image is not its name; ${ADVICE}`
  if (name.length > LONGEST_NAME)
    return `its name has ${name.length} characters, and at most ${LONGEST_NAME} are allowed`
  const { registry, path } = splitName(name)
  const host = findRegistryFault(registry)
  if (host !== undefined) return `its registry cannot be ${registry}: ${host}`
  return findPathFault(path) ?? findTagFault(tag) ?? findDigestFault(digest)
}

function findPathFault(path: string): string | undefined {
  for (const component of path.split('/')) {
    if (COMPONENT_PATTERN.test(component)) continue
    if (component === '') return `its path has an empty part; ${ADVICE}`
    if (COMPONENT_PATTERN.test(component.toLowerCase())) return `write ${component} in lower case`
    return `its path cannot hold ${component}: a part is of a-z and 0-9, with single . _ or - between them; ${ADVICE}`
  }
  return undefined
}

function findTagFault(tag: string | null): string | undefined {
  if (tag === null || (TAG_PATTERN.test(tag) && tag.length <= LONGEST_TAG)) return undefined
  if (tag === '') return 'there is no tag behind its colon; write one, or leave out the colon'
  return `its tag cannot be ${tag}: write letters, digits, _, . and -, at most ${LONGEST_TAG} characters`
}

function findDigestFault(digest: string | null): string | undefined {
  if (digest === null || DIGEST_PATTERN.test(digest)) return undefined
  return 'its digest is not one: write @sha256: and 64 digits of 0-9 and a-f'
}

function isPort(digits: string): boolean {
  return Number(digits) >= 1 && Number(digits) <= 65_535
}

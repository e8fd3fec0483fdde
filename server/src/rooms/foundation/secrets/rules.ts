const TEAM_LABEL = '[a-z0-9][a-z0-9_-]*'
const SECRET_PATH = new RegExp(`^(${TEAM_LABEL}(?:/${TEAM_LABEL}){0,7})/([A-Za-z0-9][A-Za-z0-9_.-]{0,99})$`)
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/
const MAX_BYTES = 65_536

/** A stored secret by the path of its team and its name. */
export interface SecretPath {
  readonly teamPath: string
  readonly name: string
}

export type CredentialRef = ({ readonly kind: 'secret' } & SecretPath) | { readonly kind: 'env'; readonly name: string }

/** `acme/web/npm` -> team acme/web, secret npm. */
export function readSecretPath(path: string): SecretPath | undefined {
  const match = SECRET_PATH.exec(path)
  const [, teamPath, name] = match ?? []
  return teamPath === undefined || name === undefined ? undefined : { teamPath, name }
}

/** `secret:<team path>/<name>` or `env:NAME`; undefined for anything else. */
export function readCredentialRef(ref: string): CredentialRef | undefined {
  if (ref.startsWith('secret:')) {
    const path = readSecretPath(ref.slice('secret:'.length))
    return path && { kind: 'secret', ...path }
  }
  if (ref.startsWith('env:')) {
    const name = ref.slice('env:'.length)
    return ENV_NAME.test(name) ? { kind: 'env', name } : undefined
  }
  return undefined
}

/** A secret is visible to its own team and to every team below it. */
export function isVisibleTo(secretTeamPath: string, teamPath: string): boolean {
  return teamPath === secretTeamPath || teamPath.startsWith(`${secretTeamPath}/`)
}

/**
 * No environments named: every scope, and work without one, may use it. Else scopes with an environment of that name, of
 * the secret's own team and those below: what another team calls its own environments opens nothing.
 */
export function isUsableIn(
  secret: { readonly teamPath: string; readonly environments: readonly string[] },
  scope: string | undefined,
): boolean {
  if (secret.environments.length === 0) return true
  if (scope === undefined) return false
  const slash = scope.lastIndexOf('/')
  return isVisibleTo(secret.teamPath, scope.slice(0, slash)) && secret.environments.includes(scope.slice(slash + 1))
}

/**
 * The live version that goes on working beside a new one: the version that was used last, because a sender signs with it.
 * Where no version was ever used, the newest one stays.
 */
export function findStaying<V extends { readonly version: number; readonly lastUsedAt: Date | null }>(
  live: readonly V[],
): V | undefined {
  const usedAt = ({ lastUsedAt }: V): number => lastUsedAt?.getTime() ?? 0
  return live.toSorted((a, b) => usedAt(b) - usedAt(a) || b.version - a.version)[0]
}

/** The fault of a value, as a sentence; undefined: none. */
export function findValueFault(value: string): string | undefined {
  if (value.length === 0) return 'must not be empty'
  if (value.includes('\0')) return 'must not hold a NUL character'
  // A character has up to three bytes in UTF-8 per UTF-16 unit: only near the limit is counting worth its while.
  if (new TextEncoder().encode(value).length > MAX_BYTES) return `must not be larger than ${MAX_BYTES} bytes`
  return undefined
}

/** The context of a sealed version: a sealed value that is moved to another row does not open. */
export function sealContext(secretId: string, version: number): string {
  return `secret:${secretId}:${version}`
}

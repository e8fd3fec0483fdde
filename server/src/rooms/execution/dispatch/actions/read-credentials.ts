import { bindCredentials } from '@signalbox/pipeline/images'
import type { Queryable } from '#platform/database'
import type { CredentialWish } from '#rooms/catalog/git-apps'
import type { RunInFlight } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import type { RegistryLogin, RegistryUse } from '../rules/container.ts'
import { findUnsafeCarrier } from '../rules/credential-carrier.ts'

/** A sentence: something that the task needs cannot be had, and the attempt fails with it. */
export interface Impossible {
  readonly impossible: string
}

/** Used where the stored credential is a bare token; what GitHub and GitLab take. */
const TOKEN_USERNAME = 'x-access-token'

/** The secrets that the pipeline names, by their names in the environment; what cannot be had begins with its directive. */
export async function readSecrets(
  means: Means,
  db: Queryable,
  run: RunInFlight,
  scope: string,
): Promise<{ readonly values: Readonly<Record<string, string>> } | Impossible> {
  // An untrusted run gets no secrets: its code could print them.
  if (run.untrusted) return { values: {} }
  const wanted = Object.entries(run.graph.secrets).map(([name, path]) => ({ name, path }))
  if (wanted.length === 0) return { values: {} }
  const read = await means.secrets.readForRun(db, wanted, run.teamPath, scope)
  return 'unusable' in read ? { impossible: `secrets.${read.name}: ${read.unusable}` } : { values: read.values }
}

type Login = Omit<RegistryLogin, 'registry'>

export interface CheckoutPlace {
  readonly cloneUrl: string
  readonly ref: string
  readonly commitSha: string
  readonly username: string
  readonly password: string
}

/** Where the workspace comes from, with what opens it; undefined: it starts empty. */
export async function readCheckout(means: Means, run: RunInFlight): Promise<CheckoutPlace | Impossible | undefined> {
  if (!run.checkout) return undefined
  const { cloneUrl, ref, commitSha, credentialRef } = run.checkout
  if (credentialRef === null) return { cloneUrl, ref, commitSha, username: '', password: '' }
  const unsafe = findUnsafeCarrier(cloneUrl)
  if (unsafe) return { impossible: `The repository cannot be checked out: ${unsafe}` }
  const wish: CredentialWish = {
    ref: credentialRef,
    teamPath: run.teamPath,
    uses: ['read'],
    ...placeOf(cloneUrl, run.repository),
  }
  // Each call of a provider has a time limit of its own.
  const login = await means.gitApps.readLogin(wish, new AbortController().signal)
  if (login && 'unusable' in login) return { impossible: `The repository cannot be checked out: ${login.unusable}` }
  return { cloneUrl, ref, commitSha, username: login?.username ?? '', password: login?.password ?? '' }
}

/**
 * The logins for the registries of a task's images, each for one registry. An untrusted run gets none and pulls public
 * images only. A secret for a registry of no image is not even read.
 */
export async function readRegistryLogins(
  means: Means,
  db: Queryable,
  run: RunInFlight,
  { credentials, images, scope }: RegistryUse & { readonly scope: string },
): Promise<readonly RegistryLogin[] | Impossible> {
  if (credentials.length === 0 || run.untrusted) return []
  const bound = bindCredentials(credentials, images)
  if ('problem' in bound) return { impossible: `The image cannot be pulled: registry_credential ${bound.problem}.` }
  const wanted = bound.map(({ registry, secret }) => ({ name: registry, path: secret }))
  // As any secret of the run.
  const read = await means.secrets.readForRun(db, wanted, run.teamPath, scope)
  if ('unusable' in read) return { impossible: `The image cannot be pulled: ${read.unusable}` }
  return bound.map(({ registry }) => ({ registry, ...toLogin(read.values[registry] ?? '') }))
}

/**
 * The provider's address and the full name of a repository, by the address that it is cloned from. A provider may lie
 * below a path of its host, which the name that the event told gives away.
 */
function placeOf(cloneUrl: string, told: string | null): { readonly baseUrl: string; readonly repository: string } {
  const address = cloneUrl.replace(/\/+$/, '').replace(/\.git$/, '')
  if (told !== null && address.toLowerCase().endsWith(`/${told.toLowerCase()}`)) {
    return { baseUrl: address.slice(0, -told.length - 1), repository: told }
  }
  const { origin, pathname } = new URL(address)
  return { baseUrl: origin, repository: pathname.slice(1) }
}

/** `user:password`, or a bare token. */
function toLogin(value: string): Login {
  const colon = value.indexOf(':')
  if (colon === -1) return { username: TOKEN_USERNAME, password: value }
  return { username: value.slice(0, colon), password: value.slice(colon + 1) }
}

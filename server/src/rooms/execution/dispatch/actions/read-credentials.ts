import type { Queryable } from '#platform/database'
import type { RunInFlight } from '#rooms/execution/runs'
import type { Secrets } from '#rooms/foundation/secrets'
import type { RegistryLogin } from '../rules/container.ts'
import { findUnsafeCarrier } from '../rules/credential-carrier.ts'

export interface CredentialNeeds {
  readonly secrets: Pick<Secrets, 'read' | 'readForRun' | 'markUsed'>
}

/** A sentence: something that the task needs cannot be had, and the attempt fails with it. */
export interface Impossible {
  readonly impossible: string
}

/** Used where the stored credential is a bare token; what GitHub and GitLab take. */
const TOKEN_USERNAME = 'x-access-token'

/** The secrets that the pipeline names, by their names in the environment; what cannot be had begins with its directive. */
export async function readSecrets(
  needs: CredentialNeeds,
  db: Queryable,
  run: RunInFlight,
  scope: string,
): Promise<{ readonly values: Readonly<Record<string, string>> } | Impossible> {
  // Their names are simply absent: whoever wrote the code could print what is there.
  if (run.untrusted) return { values: {} }
  const wanted = Object.entries(run.graph.secrets).map(([name, path]) => ({ name, path }))
  if (wanted.length === 0) return { values: {} }
  const read = await needs.secrets.readForRun(db, wanted, run.teamPath, scope)
  return 'unusable' in read ? { impossible: `secrets.${read.name}: ${read.unusable}` } : { values: read.values }
}

export interface CheckoutPlace {
  readonly cloneUrl: string
  readonly ref: string
  readonly commitSha: string
  readonly username: string
  readonly password: string
}

/** Where the workspace comes from, with what opens it; undefined: it starts empty. */
export async function readCheckout(
  needs: CredentialNeeds,
  db: Queryable,
  run: RunInFlight,
): Promise<CheckoutPlace | Impossible | undefined> {
  if (!run.checkout) return undefined
  const { cloneUrl, ref, commitSha, credentialRef } = run.checkout
  if (credentialRef === null) return { cloneUrl, ref, commitSha, username: '', password: '' }
  const unsafe = findUnsafeCarrier(cloneUrl)
  if (unsafe) return { impossible: `The repository cannot be checked out: ${unsafe}` }
  const login = await readLogin(needs, db, run, credentialRef)
  if ('impossible' in login) return { impossible: `The repository cannot be checked out: ${login.impossible}` }
  return { cloneUrl, ref, commitSha, ...login }
}

/** What opens the registry of a task's image; an untrusted run gets none, and pulls what everybody may. */
export async function readRegistryLogin(
  needs: CredentialNeeds,
  db: Queryable,
  run: RunInFlight,
  path: string | null,
  scope: string,
): Promise<RegistryLogin | Impossible | undefined> {
  if (path === null || run.untrusted) return undefined
  // As any secret of the run: the document says to which registry it goes.
  const wanted = { name: 'registry_credential', path }
  const read = await needs.secrets.readForRun(db, [wanted], run.teamPath, scope)
  if ('unusable' in read) return { impossible: `The image cannot be pulled: ${read.unusable}` }
  return toLogin(read.values['registry_credential'] ?? '')
}

async function readLogin(
  needs: CredentialNeeds,
  db: Queryable,
  run: RunInFlight,
  ref: string,
): Promise<RegistryLogin | Impossible> {
  const read = await needs.secrets.read(db, ref, run.teamPath)
  if ('unusable' in read) return { impossible: read.unusable }
  needs.secrets.markUsed(read)
  return toLogin(read.values[0] ?? '')
}

/** `user:password`, or a bare token. */
function toLogin(value: string): RegistryLogin {
  const colon = value.indexOf(':')
  if (colon === -1) return { username: TOKEN_USERNAME, password: value }
  return { username: value.slice(0, colon), password: value.slice(colon + 1) }
}

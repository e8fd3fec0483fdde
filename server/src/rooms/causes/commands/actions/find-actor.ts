import type { Person } from '@signalbox/contracts/event'
import type { Tx } from '#platform/database'
import { type Caller, prefixesWithin, type RequestOrigin } from '#platform/http'
import type { CommandedSource } from '#rooms/causes/sources'
import type { Means } from '../means.ts'
import { isWithin } from '../rules/index.ts'
import type { StoredCommand } from '../store/index.ts'
import type { Provider } from './ask-provider.ts'
import { CommandRefused } from './refuse-command.ts'

/** As whom a command is carried out. */
export interface Actor {
  readonly caller: Caller
  /** A user of this service whose account at the provider this is; else the owner of the source stands for the person. */
  readonly isLinked: boolean
}

/** The user to whom the account is linked, by its id; undefined: none is. Throws CommandRefused for a disabled one. */
export async function findLinked(
  means: Means,
  { provider, baseUrl }: { readonly provider: string; readonly baseUrl: string },
  person: Person,
): Promise<Actor | undefined> {
  if (person.id === null) return undefined
  const account = { provider, baseUrl, accountId: person.id }
  const userId = await means.identities.findGitUser(means.database.kysely, account)
  if (userId === undefined) return undefined
  const caller = await means.access.newSubject('user', userId)
  if (caller) return { caller, isLinked: true }
  throw new CommandRefused('not_permitted', 'The user of this service whose account you have is disabled.')
}

export interface Asking {
  readonly source: CommandedSource
  readonly provider: Provider
  readonly person: Person
}

/**
 * As whom somebody runs, reruns and cancels who may write to the repository now: as the linked user, else as the owner of
 * the source within the source's team. Throws CommandRefused for everybody else.
 */
export async function findWriter(means: Means, { source, provider, person }: Asking): Promise<Actor> {
  if (!(await provider.mayWrite(person))) throw cannotWrite(provider)
  const linked = await findLinked(means, { provider: source.provider, baseUrl: provider.baseUrl }, person)
  if (linked) return linked
  const { kind, id, name } = source.owner
  const owner = await means.access.newSubject(kind, id)
  if (!owner) throw new CommandRefused('not_permitted', `The owner of the source, ${name}, is gone or disabled.`)
  const who = person.login ?? person.id ?? 'somebody'
  return { caller: limited(owner, source.teamPath, `${name}, for ${who} at ${provider.title}`), isLinked: false }
}

export function cannotWrite({ title }: Provider): CommandRefused {
  return new CommandRefused('not_permitted', `${title} does not say that you may write to the repository.`)
}

/** The rights of the owner at and below one team only, and in no protected scope. */
function limited(owner: Caller, teamPath: string, name: string): Caller {
  return {
    kind: owner.kind,
    id: owner.id,
    name,
    openScopesOnly: true,
    can: (permission, path) => isWithin(path, teamPath) && owner.can(permission, path),
    prefixes: (permission) => prefixesWithin(owner.prefixes(permission), teamPath),
    mayUse: (scope) => isWithin(scope, teamPath) && owner.mayUse(scope),
  }
}

/**
 * Whoever asks for runs in the name of the owner of the source is remembered by their account: linked later, they must not
 * approve what they started.
 */
export async function recordAsker(
  { means, source, provider, person }: Asking & { readonly means: Means },
  tx: Tx,
  runIds: readonly string[],
): Promise<void> {
  if (person.id === null) return
  const asker = { provider: source.provider, baseUrl: provider.baseUrl, accountId: person.id }
  await means.runs.recordAskers(tx, runIds, asker)
}

/** Audit records name the comment beside the actor. */
export function originFor(row: StoredCommand, { caller }: Actor, person: Person): RequestOrigin {
  const comment = {
    source_id: row.sourceId,
    repository: row.repository,
    pull_request: row.pullRequest,
    comment_id: row.commentId,
    author_id: person.id,
    author_login: person.login,
  }
  return { caller, address: '', requestId: row.id, via: { via: 'comment', comment } }
}

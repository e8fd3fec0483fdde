import { type Queryable, type Tx, uniqueViolation } from '#platform/database'
import {
  type Caller,
  checkIfMatch,
  etagOf,
  laterThan,
  ownerOf,
  type RequestOrigin,
  requirePermission,
  requireVisible,
  toWire,
} from '#platform/http'
import { describeFaults, type FieldError } from '#platform/problems'
import { sourceProblem } from '../errors.ts'
import type { SourceDeleted } from '../facts.ts'
import type { Means } from '../means.ts'
import {
  type AuthMode,
  namesApp,
  readBaseUrl,
  type Source,
  type SourceDefinition,
  validateSource,
} from '../rules/index.ts'
import { forgetNames } from '../store/repository-names.ts'
import { DELETE_DELIVERIES_JOB, type DeletedSource } from '../store/retention.ts'
import * as store from '../store/sources.ts'
import { type CountedSource, count, listFed, presentSource, sourceNotFound } from './find-source.ts'
import { queueKeeping } from './keep-connections.ts'

/** Undefined keeps the value that the source has; for `authMode` on create it means the provider's own signature. */
export type SourceChange = { readonly [key in keyof SourceDefinition]?: SourceDefinition[key] | undefined }

export type NewSource = Omit<SourceDefinition, 'authMode'> & { readonly authMode: AuthMode | undefined }

export async function createSource(means: Means, origin: RequestOrigin, wanted: NewSource): Promise<CountedSource> {
  requirePermission(origin.caller, 'webhook_source.write', wanted.teamPath)
  const source = newSource(means, origin, { ...wanted, id: means.ids.next() })
  return named(source, () =>
    means.database.transaction(async (tx) => storeSource(means, tx, origin, source), whenStored(means)),
  )
}

/** A source with the id and in the transaction of whoever makes it; who may do so, they have asked. */
export function newSource(
  means: Means,
  { caller }: RequestOrigin,
  { id, ...wanted }: NewSource & { readonly id: string },
): Source {
  const now = means.clock.now()
  const definition = tidy(means, withAuthMode(means, wanted))
  return { ...definition, id, owner: ownerOf(caller), createdAt: now, updatedAt: now }
}

export async function storeSource(means: Means, tx: Tx, origin: RequestOrigin, source: Source): Promise<CountedSource> {
  await check(tx, means, source)
  await store.insertSource(tx, source)
  const counted = await count(tx, means, source)
  await means.audit.record(tx, {
    origin,
    action: 'webhook_source.created',
    resource: { kind: 'webhook_source', id: source.id },
    teamPath: source.teamPath,
    after: presentSource(counted),
  })
  return counted
}

/** The provider's own way of signing where nothing else is asked for; `signature` for a provider that is not known. */
export function withAuthMode(means: Means, wanted: NewSource): SourceDefinition {
  const own = means.forges.find(wanted.provider)?.webhooks.authModes[0]
  return { ...wanted, authMode: wanted.authMode ?? own ?? 'signature' }
}

/** PUT and PATCH. The last writer owns the source: manifests start on their behalf. */
export async function changeSource(
  means: Means,
  origin: RequestOrigin,
  id: string,
  change: SourceChange,
): Promise<CountedSource> {
  return means.database.transaction(async (tx) => {
    const before = await lockVisible(tx, origin.caller, id)
    requirePermission(origin.caller, 'webhook_source.write', before.teamPath)
    checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))
    const given = Object.entries(change).filter(([, value]) => value !== undefined)
    const merged: SourceDefinition = { ...before, ...Object.fromEntries(given) }
    const after: Source = {
      ...before,
      ...tidy(means, merged),
      owner: ownerOf(origin.caller),
      updatedAt: laterThan(before.updatedAt, means.clock.now()),
    }
    requirePermission(origin.caller, 'webhook_source.write', after.teamPath)
    await check(tx, means, after)
    await named(after, () => store.updateSource(tx, after))
    await queueKeeping(means, tx)
    // Ids of another provider are other repositories.
    if (after.provider !== before.provider || after.baseUrl !== before.baseUrl) await forgetNames(tx, id)
    const counted = await count(tx, means, after)
    const { connectedTriggers } = counted
    await means.audit.record(tx, {
      origin,
      action: 'webhook_source.updated',
      resource: { kind: 'webhook_source', id },
      teamPath: after.teamPath,
      before: presentSource({ source: before, connectedTriggers }),
      after: presentSource(counted),
    })
    return counted
  }, whenStored(means))
}

export interface SourceDeletion {
  /** Refuse while triggers name it or take its events. */
  readonly ifUnused: boolean
}

/** A delivery that is being received while its source goes is stored by then, so that the job finds it too. */
const IN_FLIGHT_MS = 15_000

/**
 * The source's triggers stay, match nothing from now on and say why; a fact tells of it. Runs that were started go on.
 * The source's deliveries become unreadable; a job deletes them.
 */
export async function deleteSource(
  means: Means,
  origin: RequestOrigin,
  id: string,
  deletion: SourceDeletion,
): Promise<void> {
  await means.database.transaction(async (tx) => {
    const before = await lockVisible(tx, origin.caller, id)
    requirePermission(origin.caller, 'webhook_source.write', before.teamPath)
    checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))
    const lost = await means.triggers.sourceDeleted(tx, id)
    const users = [...lost, ...(await listFed(means, before))]
    if (deletion.ifUnused && users.length > 0) {
      throw sourceProblem('source.in_use', tellUsers(origin.caller, users))
    }
    await store.deleteSource(tx, id)
    const left: DeletedSource = { sourceId: id }
    const runAt = new Date(means.clock.now().getTime() + IN_FLIGHT_MS)
    await means.jobs.add(tx, DELETE_DELIVERIES_JOB, left, { key: `${DELETE_DELIVERIES_JOB}:${id}`, runAt })
    await means.audit.record(tx, {
      origin,
      action: 'webhook_source.deleted',
      resource: { kind: 'webhook_source', id },
      teamPath: before.teamPath,
      before: presentSource({ source: before, connectedTriggers: users.length }),
    })
    const told: SourceDeleted = {
      source_id: id,
      name: before.name,
      team_path: before.teamPath,
      triggers: lost.map(toWire),
    }
    await means.facts.tell(tx, 'source.deleted', 1, told)
  }, whenStored(means))
}

/** A delivery that follows at once sees the change. */
function whenStored({ ingress: { book, names }, triggers }: Means): { readonly afterCommit: () => void } {
  return {
    afterCommit() {
      book.invalidate()
      names.invalidate()
      triggers.changed()
    },
  }
}

const NAMED_TRIGGERS = 5

/** Triggers that the caller may not see are counted only. */
function tellUsers(caller: Caller, triggers: readonly { readonly name: string; readonly teamPath: string }[]): string {
  const [uses, them] = triggers.length === 1 ? ['1 trigger uses', 'it'] : [`${triggers.length} triggers use`, 'them']
  const seen = triggers
    .filter(({ teamPath }) => caller.can('trigger.read', teamPath))
    .slice(0, NAMED_TRIGGERS)
    .map(({ name, teamPath }) => `${teamPath}/${name}`)
  const others = seen.length > 0 && seen.length < triggers.length ? [`${triggers.length - seen.length} more`] : []
  const who = seen.length === 0 ? '' : ` (${[...seen, ...others].join(', ')})`
  return `${uses} the source${who}: change or delete ${them} first.`
}

async function lockVisible(db: Queryable, caller: Caller, id: string): Promise<Source> {
  const source = await store.lockSource(db, id)
  return requireVisible(caller, 'webhook_source.read', source, sourceNotFound)
}

/** The address in its one written form; an unreadable address stays as it is, for the check to name. */
function tidy(means: Means, definition: SourceDefinition): SourceDefinition {
  if (definition.baseUrl === null) return definition
  const read = readBaseUrl(definition.baseUrl, means.config.providerHosts)
  return 'url' in read ? { ...definition, baseUrl: read.url } : definition
}

/** Everything at once, each with its field. */
async function check(db: Queryable, means: Means, source: Source): Promise<void> {
  const forge = means.forges.find(source.provider)
  const provider = forge && {
    title: forge.title,
    authModes: forge.webhooks.authModes,
    publicUrl: forge.publicUrl,
    showsStatuses: forge.status !== null,
    takesCommands: forge.comments !== null && forge.repositories !== null && forge.repositories.findPermission !== null,
  }
  const server = { providers: means.forges.ids, providerHosts: means.config.providerHosts }
  const faults: FieldError[] = [...validateSource(source, provider, server)]
  if (!(await means.teams.findTeam(db, source.teamPath))) {
    faults.push({ field: 'team_path', message: `there is no team ${source.teamPath}` })
  }
  const webhooks = forge?.webhooks.authModes.includes(source.authMode) ? forge.webhooks : undefined
  const findProvingFault = (secret: Buffer) => webhooks?.findSecretFault(source.authMode, secret) ?? null
  for (const [field, ref, faultOf] of [
    ['credential_ref', source.credentialRef, findProvingFault],
    ['checkout_credential_ref', source.checkoutCredentialRef, () => null],
  ] as const) {
    const message = ref === null ? undefined : await findCredentialFault(db, means, { ref, source, faultOf })
    if (message !== undefined) faults.push({ field, message })
  }
  if (faults.length > 0) throw sourceProblem('source.invalid', describeFaults(faults), { errors: faults })
}

interface NamedCredential {
  readonly ref: string
  readonly source: Source
  readonly faultOf: (secret: Buffer) => string | null
}

/**
 * An empty secret verifies nothing, so it is as unusable as a missing one. A secret without any live version in a form
 * that the provider can use is as unusable.
 */
async function findCredentialFault(
  db: Queryable,
  means: Means,
  { ref, source, faultOf }: NamedCredential,
): Promise<string | undefined> {
  if (namesApp(ref)) return means.gitApps.check(db, ref, source)
  const read = await means.secrets.read(db, ref, source.teamPath)
  if ('unusable' in read) return read.unusable
  if (read.values.every((value) => value === '')) return 'the secret is empty'
  const faults = read.values.map((value) => faultOf(Buffer.from(value, 'utf8')))
  return faults.includes(null) ? undefined : (faults[0] ?? undefined)
}

async function named<T>(source: Source, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (uniqueViolation(error) !== 'webhook_sources_name_taken') throw error
    const detail = `A source named ${source.name} exists already.`
    throw sourceProblem('source.name_taken', detail, { cause: error, errors: [{ field: 'name', message: detail }] })
  }
}

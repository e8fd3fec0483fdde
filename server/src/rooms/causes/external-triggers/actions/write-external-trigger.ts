import { createToken } from '#platform/crypto'
import { type Tx, uniqueViolation } from '#platform/database'
import { checkIfMatch, etagOf, laterThan, ownerOf, type RequestOrigin, requirePermission } from '#platform/http'
import { externalTriggerProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store.ts'
import { checkDefinition, requireStart } from './check-definition.ts'
import { requireExternalTrigger } from './find-external-trigger.ts'
import { identifierOf, presentWritten } from './present-external-trigger.ts'
import type { Definition } from './read-document.ts'

/** A trigger with its secret, which is stored nowhere. */
export interface WithSecret {
  readonly trigger: store.ExternalTrigger
  readonly secret: string
}

/** The caller becomes the owner, on whose behalf it starts runs. */
export async function createExternalTrigger(
  means: Means,
  origin: RequestOrigin,
  definition: Definition,
): Promise<WithSecret> {
  requirePermission(origin.caller, 'external_trigger.write', definition.teamPath)
  const now = means.clock.now()
  const { token: secret, sha256 } = createToken('external_trigger')
  const trigger = await means.database.transaction(async (tx) => {
    const made: store.ExternalTrigger = {
      ...definition,
      scope: await checkDefinition(means, tx, origin.caller, definition),
      id: means.ids.next(),
      ...ownedBy(origin),
      secretSha256: sha256,
      secretSetAt: now,
      lastFiredAt: null,
      lastRunId: null,
      lastRefusal: null,
      createdAt: now,
      updatedAt: now,
    }
    await named(made, () => store.insertExternalTrigger(tx, made))
    await record(means, tx, made, { origin, action: 'external_trigger.created', after: made })
    return made
  })
  return { trigger, secret }
}

/**
 * PUT and PATCH: the caller must have the right to all that it is then, and becomes the owner. A change that only
 * disables it is open to whoever may write it, and leaves the owner as it is.
 */
export async function changeExternalTrigger(
  means: Means,
  origin: RequestOrigin,
  asked: string,
  change: Partial<Definition>,
): Promise<store.ExternalTrigger> {
  return means.database.transaction(async (tx) => {
    const before = await lockWritable(tx, origin, asked)
    const updatedAt = laterThan(before.updatedAt, means.clock.now())
    if (isStop(change)) {
      if (!before.enabled) return before
      const after = { ...before, enabled: false, updatedAt }
      return save(means, tx, { origin, action: 'external_trigger.updated', before, after })
    }
    const wanted = { ...before, ...change }
    requirePermission(origin.caller, 'external_trigger.write', wanted.teamPath)
    const scope = await checkDefinition(means, tx, origin.caller, wanted)
    const after = { ...wanted, scope, ...ownedBy(origin), lastRefusal: null, updatedAt }
    return save(means, tx, { origin, action: 'external_trigger.updated', before, after })
  })
}

function isStop(change: Partial<Definition>): boolean {
  return change.enabled === false && Object.keys(change).length === 1
}

/**
 * A new secret; the old one ends at once, and all else stays, the owner too. Who knows the secret fires on behalf of the
 * owner, so the caller must have the right to start what it starts.
 */
export async function rotateExternalTrigger(means: Means, origin: RequestOrigin, asked: string): Promise<WithSecret> {
  const { token: secret, sha256 } = createToken('external_trigger')
  const trigger = await means.database.transaction(async (tx) => {
    const before = await lockWritable(tx, origin, asked)
    await requireStart(means, tx, origin.caller, before)
    const now = means.clock.now()
    const updatedAt = laterThan(before.updatedAt, now)
    const after = { ...before, secretSha256: sha256, secretSetAt: now, updatedAt }
    return save(means, tx, { origin, action: 'external_trigger.rotated', before, after })
  })
  return { trigger, secret }
}

export async function deleteExternalTrigger(means: Means, origin: RequestOrigin, asked: string): Promise<void> {
  await means.database.transaction(async (tx) => {
    const before = await lockWritable(tx, origin, asked)
    await store.deleteExternalTrigger(tx, before.id)
    await record(means, tx, before, { origin, action: 'external_trigger.deleted', before })
  })
}

/** Locked until the transaction ends, and as the caller read it. Throws not_found, forbidden and version_conflict. */
async function lockWritable(tx: Tx, { caller, ifMatch }: RequestOrigin, asked: string): Promise<store.ExternalTrigger> {
  const trigger = requireExternalTrigger(caller, await store.lockExternalTrigger(tx, asked), asked)
  requirePermission(caller, 'external_trigger.write', trigger.teamPath)
  checkIfMatch(ifMatch, etagOf(trigger.updatedAt))
  return trigger
}

interface Saving {
  readonly origin: RequestOrigin
  readonly action: string
  readonly before: store.ExternalTrigger
  readonly after: store.ExternalTrigger
}

async function save(means: Means, tx: Tx, saving: Saving): Promise<store.ExternalTrigger> {
  const { after } = saving
  await named(after, () => store.updateExternalTrigger(tx, after))
  await record(means, tx, after, saving)
  return after
}

interface Recording extends Pick<Saving, 'origin' | 'action'> {
  readonly before?: store.ExternalTrigger
  readonly after?: store.ExternalTrigger
}

async function record(
  means: Means,
  tx: Tx,
  { id, teamPath }: store.ExternalTrigger,
  { origin, action, before, after }: Recording,
): Promise<void> {
  await means.audit.record(tx, {
    origin,
    action,
    resource: { kind: 'external_trigger', id },
    teamPath,
    before: before && presentWritten(means.config, before),
    after: after && presentWritten(means.config, after),
  })
}

function ownedBy({ caller }: RequestOrigin): Pick<store.ExternalTrigger, 'ownerKind' | 'ownerId' | 'ownerName'> {
  const { kind, id, name } = ownerOf(caller)
  return { ownerKind: kind, ownerId: id, ownerName: name }
}

async function named<T>(trigger: store.ExternalTrigger, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (uniqueViolation(error) !== 'external_triggers_name_taken') throw error
    const detail = `There is an external trigger ${identifierOf(trigger)} already: choose another name, or change that one.`
    const errors = [{ field: 'name', message: detail }]
    throw externalTriggerProblem('external_trigger.name_taken', detail, { cause: error, errors })
  }
}

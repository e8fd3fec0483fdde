import { findUndeclaredVariables } from '@signalbox/pipeline/facts'
import { foreignKeyViolation, type Queryable, type Tx, uniqueViolation } from '#platform/database'
import {
  type Caller,
  checkIfMatch,
  etagOf,
  laterThan,
  ownerOf,
  type RequestOrigin,
  requirePermission,
} from '#platform/http'
import { describeFaults, type FieldError, platformProblem } from '#platform/problems'
import { triggerProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { type Trigger, type TriggerDefinition, type TriggerFault, validateTrigger } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { presentTrigger, requireTrigger } from './find-trigger.ts'

/** The definition with what a PATCH left out taken from the trigger as it is. */
export interface TriggerChange {
  /** `undefined`: keep the value that it has. */
  readonly definition: { readonly [key in keyof TriggerDefinition]?: TriggerDefinition[key] | undefined }
  /** A PUT replaces; a PATCH that names `source_id: null` means it, a document that is written back does not. */
  readonly explicitSource: boolean
}

/** The caller becomes the owner, on whose behalf the runs start, and must be allowed to start them. */
export async function createTrigger(
  means: Means,
  origin: RequestOrigin,
  definition: TriggerDefinition,
): Promise<Trigger> {
  requirePermission(origin.caller, 'trigger.write', definition.teamPath)
  const trigger = newTrigger(means, origin.caller, definition)
  const work = async (tx: Tx): Promise<void> => {
    await check(means, tx, origin.caller, { trigger })
    await named(trigger, () => store.insertTrigger(tx, trigger))
    await means.audit.record(tx, {
      origin,
      action: 'trigger.created',
      resource: { kind: 'trigger', id: trigger.id },
      teamPath: trigger.teamPath,
      after: presentTrigger(trigger),
    })
  }
  await means.database.transaction(work, { afterCommit: means.index.invalidate })
  return trigger
}

/**
 * The trigger that a POST of the definition would make, checked as that checks it, but for whether its name is taken;
 * nothing is stored. Faults are named as fields of `trigger`.
 */
export async function draftTrigger(means: Means, caller: Caller, definition: TriggerDefinition): Promise<Trigger> {
  requirePermission(caller, 'trigger.write', definition.teamPath)
  const trigger = newTrigger(means, caller, definition)
  await check(means, means.database.kysely, caller, { trigger, prefix: 'trigger.' })
  return trigger
}

function newTrigger(means: Means, caller: Caller, definition: TriggerDefinition): Trigger {
  const now = means.clock.now()
  return {
    ...definition,
    id: means.ids.next(),
    sourceLostAt: null,
    owner: ownerOf(caller),
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * PUT and PATCH. The last writer owns the trigger, so that nobody uses the rights of another owner. A PATCH that only disables
 * it is open to whoever may write it, and leaves the owner as it is.
 */
export async function changeTrigger(
  means: Means,
  origin: RequestOrigin,
  id: string,
  change: TriggerChange,
): Promise<Trigger> {
  const work = async (tx: Tx): Promise<Trigger> => {
    const before = await lockWritable(tx, origin, id)
    const updatedAt = laterThan(before.updatedAt, means.clock.now())
    if (isStop(change)) {
      if (!before.enabled) return before
      return save(means, tx, origin, { before, after: { ...before, enabled: false, updatedAt } })
    }
    const given = Object.entries(change.definition).filter(([, value]) => value !== undefined)
    const merged: TriggerDefinition = { ...before, ...Object.fromEntries(given) }
    const keepsLost = merged.sourceId === null && !change.explicitSource
    const after: Trigger = {
      ...before,
      ...merged,
      sourceLostAt: keepsLost ? before.sourceLostAt : null,
      owner: ownerOf(origin.caller),
      updatedAt,
    }
    requirePermission(origin.caller, 'trigger.write', after.teamPath)
    await check(means, tx, origin.caller, { trigger: after })
    return save(means, tx, origin, { before, after })
  }
  return means.database.transaction(work, { afterCommit: means.index.invalidate })
}

function isStop({ definition }: TriggerChange): boolean {
  const given = Object.values(definition).filter((value) => value !== undefined)
  return definition.enabled === false && given.length === 1
}

async function save(
  means: Means,
  tx: Tx,
  origin: RequestOrigin,
  { before, after }: { readonly before: Trigger; readonly after: Trigger },
): Promise<Trigger> {
  await named(after, () => store.updateTrigger(tx, after))
  await means.audit.record(tx, {
    origin,
    action: 'trigger.updated',
    resource: { kind: 'trigger', id: after.id },
    teamPath: after.teamPath,
    before: presentTrigger(before),
    after: presentTrigger(after),
  })
  return after
}

export async function deleteTrigger(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const work = async (tx: Tx): Promise<void> => {
    const before = await lockWritable(tx, origin, id)
    await store.deleteTrigger(tx, id)
    await means.audit.record(tx, {
      origin,
      action: 'trigger.deleted',
      resource: { kind: 'trigger', id },
      teamPath: before.teamPath,
      before: presentTrigger(before),
    })
  }
  await means.database.transaction(work, { afterCommit: means.index.invalidate })
}

/** Locked until the transaction ends, and as the caller read it. Throws not_found, forbidden and version_conflict. */
async function lockWritable(tx: Tx, { caller, ifMatch }: RequestOrigin, id: string): Promise<Trigger> {
  const trigger = requireTrigger(caller, await store.lockTrigger(tx, id))
  requirePermission(caller, 'trigger.write', trigger.teamPath)
  checkIfMatch(ifMatch, etagOf(trigger.updatedAt))
  return trigger
}

interface Checked {
  readonly trigger: Trigger
  /** Before the name of each field that is wrong. */
  readonly prefix?: string
}

/** Everything at once, each with its field; then whether the caller may start what the trigger starts. */
async function check(means: Means, db: Queryable, caller: Caller, { trigger, prefix = '' }: Checked): Promise<void> {
  const faults: FieldError[] = validateTrigger(trigger).map(presentFault)
  const team = await means.teams.findTeam(db, trigger.teamPath)
  if (!team) faults.push({ field: 'team_path', message: `there is no team ${trigger.teamPath}` })
  const pipeline = await means.pipelines.find(db, trigger.pipeline)
  if (!pipeline || !caller.can('pipeline.read', pipeline.teamPath)) {
    faults.push({ field: 'pipeline', message: `there is no pipeline ${trigger.pipeline} that you may see` })
  } else {
    faults.push(...(await findUndeclared(means, db, trigger)))
  }
  const verdict = await means.access.judgeScope(caller, trigger.scope)
  if (verdict === 'unknown') {
    faults.push({ field: 'scope', message: `there is no scope ${trigger.scope} that you may use` })
  }
  const sourceFault = await findSourceFault(means, db, caller, trigger.sourceId)
  if (sourceFault) faults.push(sourceFault)
  const errors = faults.map(({ field, message }) => ({ field: `${prefix}${field}`, message }))
  if (errors.length > 0) throw triggerProblem('trigger.invalid', describeFaults(errors), { errors })
  if (pipeline) requirePermission(caller, 'run.start', pipeline.teamPath)
  if (verdict !== 'usable') {
    throw platformProblem(
      'forbidden',
      `You may not use the scope ${trigger.scope}. ${(await means.access.snapshot()).whoMayUse(trigger.scope)}`,
    )
  }
  if (caller.token?.limits) await requireStartNow(means, db, caller, trigger)
}

/**
 * A trigger that names no source hears all that its owner may see, and its runs check out with their credentials. So a token
 * with limits names one that it may connect itself.
 */
async function findSourceFault(
  means: Means,
  db: Queryable,
  caller: Caller,
  sourceId: string | null,
): Promise<FieldError | undefined> {
  const field = 'source_id'
  if (sourceId === null) {
    return caller.token?.limits && { field, message: 'must name a source: a token with limits hears no others' }
  }
  if (await means.above.mayConnect(db, caller, sourceId)) return undefined
  return { field, message: 'there is no source of this id that you may use' }
}

/**
 * Of a token with limits. Events start the pipeline with all rights of the owner, so the token must have the right to all
 * that the pipeline names today.
 */
async function requireStartNow(means: Means, db: Queryable, caller: Caller, trigger: Trigger): Promise<void> {
  const { pipeline, scope, variables } = trigger
  await means.runs.requireStart(db, caller, { pipeline, scope, variables, namesRepository: false })
}

/** Its runs would be refused, each time: a run sets nothing that the pipeline does not ask for. */
async function findUndeclared(means: Means, db: Queryable, trigger: Trigger): Promise<FieldError[]> {
  const names = Object.keys(trigger.variables)
  if (names.length === 0) return []
  const pipeline = await means.pipelines.resolveForRun(db, trigger.pipeline)
  if (!pipeline) return []
  return findUndeclaredVariables(pipeline, names).map(({ name, message }) => ({
    field: `variables.${name}`,
    message: `${message}: its document lists those under \`variables\``,
  }))
}

function presentFault({ field, message, at }: TriggerFault): FieldError {
  return { field, message: at ? `${message} (line ${at.line}, column ${at.column})` : message }
}

async function named<T>(trigger: Trigger, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (uniqueViolation(error) === 'triggers_name_taken') {
      const detail = `The team ${trigger.teamPath} has a trigger named ${trigger.name} already.`
      throw triggerProblem('trigger.name_taken', detail, { cause: error, errors: [{ field: 'name', message: detail }] })
    }
    if (foreignKeyViolation(error) === 'triggers_source_exists') {
      const errors = [{ field: 'source_id', message: 'there is no source of this id that you may use' }]
      throw triggerProblem('trigger.invalid', 'source_id: there is no source of this id that you may use.', {
        cause: error,
        errors,
      })
    }
    throw error
  }
}

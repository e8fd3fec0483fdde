import type { Graph } from '@signalbox/pipeline/graph'
import { foreignKeyViolation, type Tx, uniqueViolation } from '#platform/database'
import { checkIfMatch, etagOf, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { pipelineProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { childrenOf, type DocumentFault, referencesOf } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { type CheckedDocument, checkDocument } from './check-document.ts'
import { getVisiblePipeline, unknownPipeline } from './find-pipeline.ts'

export interface SavedPipeline {
  readonly pipeline: store.CurrentPipeline
  readonly warnings: readonly DocumentFault[]
}

type SoundDocument = Extract<CheckedDocument, { ok: true }>

/** A new pipeline of a team, named by its document. Throws pipeline.invalid (400), forbidden (403), pipeline.name_taken (409). */
export async function createPipeline(
  means: Means,
  origin: RequestOrigin,
  input: { readonly teamPath: string; readonly document: string },
): Promise<SavedPipeline> {
  const { teamPath, document } = input
  requirePermission(origin.caller, 'pipeline.write', teamPath)
  const id = means.ids.next()
  // Before the transaction, which holds a connection.
  const parsed = await means.parse(document)
  let name = ''
  try {
    return await means.database.transaction(
      async (tx) => {
        await means.teams.getTeamByPath(tx, teamPath)
        const place = { teamPath, writer: origin.caller, hidden: 'error' as const }
        const checked = requireSound(await checkDocument(means, tx, parsed, place))
        name = checked.name
        const { profileId } = checked
        const now = means.clock.now()
        await store.insertPipeline(tx, { id, teamPath, name, version: 1, profileId, createdAt: now, updatedAt: now })
        return saveVersion(means, tx, origin, { id, before: undefined, document, checked, at: now })
      },
      { afterCommit: means.forget },
    )
  } catch (error) {
    if (uniqueViolation(error) !== 'pipelines_identifier_taken') throw afterProfileLeft(error)
    const detail = `${teamPath}/${name} exists already: send PUT to change it, or choose another name.`
    throw pipelineProblem('pipeline.name_taken', detail, { cause: error })
  }
}

/**
 * The next version of a pipeline; runs that were queued before keep theirs. Throws pipeline.invalid (400), forbidden (403),
 * not_found (404), version_conflict (409).
 */
export async function replacePipeline(
  means: Means,
  origin: RequestOrigin,
  input: { readonly idOrIdentifier: string; readonly document: string; readonly teamPath: string | undefined },
): Promise<SavedPipeline> {
  const { idOrIdentifier, document } = input
  const seen = await getVisiblePipeline(means, origin.caller, idOrIdentifier)
  requirePermission(origin.caller, 'pipeline.write', seen.teamPath)
  if (input.teamPath !== undefined && input.teamPath !== seen.teamPath) {
    const message = `must stay ${seen.teamPath}: create a pipeline in the other team`
    throw platformProblem('invalid_request', `team_path ${message}.`, { errors: [{ field: 'team_path', message }] })
  }
  const parsed = await means.parse(document)
  try {
    return await means.database.transaction(
      async (tx) => {
        const before = await store.lockPipeline(tx, seen.id)
        if (!before) throw unknownPipeline(idOrIdentifier)
        checkIfMatch(origin.ifMatch, etagOf(before.version))
        const place = { teamPath: before.teamPath, writer: origin.caller, hidden: 'error' as const }
        const checked = requireSound(await checkDocument(means, tx, parsed, place))
        refuseRename(before, checked)
        const at = means.clock.now()
        const { profileId } = checked
        await store.setCurrentVersion(tx, before.id, { version: before.version + 1, profileId, updatedAt: at })
        return saveVersion(means, tx, origin, { id: before.id, before, document, checked, at })
      },
      { afterCommit: means.forget },
    )
  } catch (error) {
    throw afterProfileLeft(error)
  }
}

interface Save {
  /** Of the pipeline. */
  readonly id: string
  readonly before: store.PipelineRow | undefined
  readonly document: string
  readonly checked: SoundDocument
  readonly at: Date
}

/** Stores the version, reads the pipeline back and records the save. Audit records name versions, which hold the documents. */
async function saveVersion(means: Means, tx: Tx, origin: RequestOrigin, save: Save): Promise<SavedPipeline> {
  const { id, before, document, checked, at } = save
  await store.replaceProfiles(tx, id, checked.profiles)
  await store.replaceSecrets(tx, id, secretsOf(checked.graph))
  await store.replaceChildren(tx, id, childrenOf(checked.graph))
  await store.insertVersion(tx, {
    id: means.ids.next(),
    pipelineId: id,
    version: (before?.version ?? 0) + 1,
    document,
    graph: checked.graph,
    savedBy: origin.caller.name,
    savedAt: at,
  })
  const pipeline = await store.findCurrent(tx, { id })
  if (!pipeline) throw unknownPipeline(id)
  await means.audit.record(tx, {
    origin,
    action: before ? 'pipeline.updated' : 'pipeline.created',
    resource: { kind: 'pipeline', id },
    teamPath: pipeline.teamPath,
    ...(before ? { before: { identifier: before.identifier, version: before.version } } : {}),
    after: { identifier: pipeline.identifier, version: pipeline.version },
  })
  return { pipeline, warnings: checked.warnings }
}

function secretsOf(graph: Graph): readonly store.NamedSecret[] {
  return referencesOf(graph)
    .filter(({ kind }) => kind === 'secret')
    .map(({ target, directive }) => ({ secret: target, directive }))
}

function requireSound(checked: CheckedDocument): SoundDocument {
  if (checked.ok) return checked
  const errors = checked.errors.map((fault) => ({
    field: fault.directive || 'document',
    message: `line ${fault.line}, column ${fault.column}: ${fault.message}`,
  }))
  const [first] = errors
  const more = errors.length > 1 ? ` ${errors.length - 1} more in errors.` : ''
  throw pipelineProblem('pipeline.invalid', `${first?.field} (${first?.message}).${more}`.replace('..', '.'), {
    errors,
  })
}

function refuseRename(before: store.PipelineRow, checked: SoundDocument): void {
  if (checked.name === before.name) return
  const message = `must stay ${before.name}: create a new pipeline for another name`
  throw pipelineProblem('pipeline.invalid', `name ${message}.`, { errors: [{ field: 'name', message }] })
}

/** A profile was deleted between the check of the document and the commit. */
function afterProfileLeft(error: unknown): unknown {
  const violated = foreignKeyViolation(error)
  if (violated !== 'pipelines_profile_in_use' && violated !== 'pipeline_profiles_in_use') return error
  return pipelineProblem(
    'pipeline.invalid',
    'A profile that the document names was deleted meanwhile: name another profile.',
    { cause: error },
  )
}

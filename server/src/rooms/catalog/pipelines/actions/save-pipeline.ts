import { foreignKeyViolation, type Tx, uniqueViolation } from '#platform/database'
import { checkIfMatch, etagOf, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import { pipelineProblem } from '../errors.ts'
import * as store from '../store/index.ts'
import { type CheckedDocument, type CheckNeeds, checkDocument, type DocumentFault } from './check-document.ts'
import { getVisiblePipeline, unknownPipeline } from './find-pipeline.ts'

export interface SaveNeeds extends CheckNeeds {
  readonly audit: Audit
  readonly teams: Pick<Teams, 'getTeamByPath'>
}

export interface SavedPipeline {
  readonly pipeline: store.CurrentPipeline
  readonly warnings: readonly DocumentFault[]
}

type SoundDocument = Extract<CheckedDocument, { ok: true }>

/** A new pipeline of a team, named by its document. */
export async function createPipeline(
  kit: Kit,
  needs: SaveNeeds,
  origin: RequestOrigin,
  input: { readonly teamPath: string; readonly document: string },
): Promise<SavedPipeline> {
  const { teamPath, document } = input
  if (!origin.caller.can('pipeline.write', teamPath)) {
    throw platformProblem('forbidden', `You need pipeline.write on ${teamPath} to create a pipeline there.`)
  }
  const id = kit.ids.next()
  // Before the transaction, which holds a connection.
  const parsed = await needs.parse(document)
  let name = ''
  try {
    return await kit.database.transaction(async (tx) => {
      await needs.teams.getTeamByPath(tx, teamPath)
      const checked = requireSound(
        await checkDocument(needs, tx, parsed, { teamPath, writer: origin.caller, hidden: 'error' }),
      )
      name = checked.name
      const now = kit.clock.now()
      const { profileId } = checked
      await store.insertPipeline(tx, { id, teamPath, name, version: 1, profileId, createdAt: now, updatedAt: now })
      await saveVersion(kit, tx, origin, { pipelineId: id, version: 1, document, checked, at: now })
      return finish(needs, tx, origin, 'pipeline.created', id, checked)
    })
  } catch (error) {
    if (uniqueViolation(error) !== 'pipelines_identifier_taken') throw afterProfileLeft(error)
    const detail = `${teamPath}/${name} exists already: send PUT to change it, or choose another name.`
    throw pipelineProblem('pipeline.name_taken', detail, { cause: error })
  }
}

/** The next version of a pipeline; runs that were queued before keep theirs. */
export async function replacePipeline(
  kit: Kit,
  needs: SaveNeeds,
  origin: RequestOrigin,
  input: {
    readonly idOrIdentifier: string
    readonly document: string
    readonly teamPath: string | undefined
    readonly ifMatch: string | string[] | undefined
  },
): Promise<SavedPipeline> {
  const seen = await getVisiblePipeline(kit.database.kysely, origin.caller, input.idOrIdentifier)
  if (!origin.caller.can('pipeline.write', seen.teamPath)) {
    throw platformProblem('forbidden', `You need pipeline.write on ${seen.teamPath} to change this pipeline.`)
  }
  if (input.teamPath !== undefined && input.teamPath !== seen.teamPath) {
    const message = `must stay ${seen.teamPath}: create a pipeline in the other team`
    throw platformProblem('invalid_request', `team_path ${message}.`, { errors: [{ field: 'team_path', message }] })
  }
  const parsed = await needs.parse(input.document)
  try {
    return await kit.database.transaction(async (tx) => {
      const before = await store.lockPipeline(tx, seen.id)
      if (!before) throw unknownPipeline(input.idOrIdentifier)
      checkIfMatch(input.ifMatch, etagOf(before.version))
      const checked = requireSound(
        await checkDocument(needs, tx, parsed, {
          teamPath: before.teamPath,
          writer: origin.caller,
          hidden: 'error',
        }),
      )
      refuseRename(before, checked)
      const at = kit.clock.now()
      const version = before.version + 1
      await store.setCurrentVersion(tx, before.id, { version, profileId: checked.profileId, at })
      await saveVersion(kit, tx, origin, {
        pipelineId: before.id,
        version,
        document: input.document,
        checked,
        at,
      })
      return finish(needs, tx, origin, 'pipeline.updated', before.id, checked, before.version)
    })
  } catch (error) {
    throw afterProfileLeft(error)
  }
}

async function saveVersion(
  kit: Kit,
  tx: Tx,
  origin: RequestOrigin,
  save: {
    readonly pipelineId: string
    readonly version: number
    readonly document: string
    readonly checked: SoundDocument
    readonly at: Date
  },
): Promise<void> {
  const { at, checked, ...version } = save
  const { graph, profiles } = checked
  await store.replaceProfiles(tx, version.pipelineId, profiles)
  await store.insertVersion(tx, { ...version, graph, id: kit.ids.next(), savedBy: origin.caller.name, savedAt: at })
}

/** Reads back what was written and records it. Documents are told by version: the versions themselves keep them. */
async function finish(
  needs: SaveNeeds,
  tx: Tx,
  origin: RequestOrigin,
  action: string,
  id: string,
  checked: SoundDocument,
  versionBefore?: number,
): Promise<SavedPipeline> {
  const pipeline = await store.findCurrent(tx, { id })
  if (!pipeline) throw unknownPipeline(id)
  const { identifier, version, teamPath } = pipeline
  await needs.audit.record(tx, {
    origin,
    action,
    resource: { kind: 'pipeline', id },
    teamPath,
    ...(versionBefore === undefined ? {} : { before: { identifier, version: versionBefore } }),
    after: { identifier, version },
  })
  return { pipeline, warnings: checked.warnings }
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

/** A profile was there when the document was checked and is gone: rare, and no error of ours. */
function afterProfileLeft(error: unknown): unknown {
  const violated = foreignKeyViolation(error)
  if (violated !== 'pipelines_profile_in_use' && violated !== 'pipeline_profiles_in_use') return error
  return pipelineProblem('pipeline.invalid', 'A profile was deleted meanwhile: name another one.', { cause: error })
}

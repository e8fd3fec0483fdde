import type { RerunInput } from '@signalbox/contracts/runs'
import type { Reuse } from '@signalbox/pipeline/status'
import type { Queryable, Tx } from '#platform/database'
import { principalOf, type RequestOrigin, requirePermission } from '#platform/http'
import type { PipelineForRun } from '#rooms/catalog/pipelines'
import { runProblem } from '../errors.ts'
import type { Means, QueueingKit } from '../means.ts'
import { findReuse } from '../rules/reuse.ts'
import { openVariables } from '../rules/sealed-outputs.ts'
import type { DetailRow } from '../store/run-columns.ts'
import { authorizeRun, requireDeclared, wrong } from './authorize-run.ts'
import { findVisibleRun } from './find-visible-run.ts'
import { judgeRepetition } from './judge-repetition.ts'
import { readEvents } from './keep-events.ts'
import { loadInFlight } from './load-progress.ts'
import { type NewRun, queueRuns } from './queue-runs.ts'
import type { Queueing } from './start-run.ts'

type Wish = NonNullable<RerunInput>

/**
 * A new run of the same event, commit and scope. The caller starts it and is authorized anew. The document is the pinned one
 * of the old run, or the newest. Variables are those of the old run, overridden by those given here. A rerun of a part takes
 * over the other tasks when it begins. The old run does not change. The rerun of an untrusted run is untrusted. The rerun
 * waits for an approval of its own where the old run never began. The rerun is in no group of the old run's trigger; the
 * line of a schedule waits for the rerun as it did for the old run. A token with limits takes over less
 * (`judge-repetition.ts`). Throws 409 run.not_repeatable.
 */
export async function rerunRun(means: Means, origin: RequestOrigin, id: string, wish: Wish): Promise<string> {
  const { queue } = await prepareRerun(means, origin, id, wish)
  return await means.database.transaction((tx) => queue(tx, means))
}

export interface PreparedRerun {
  /** The run that is repeated. */
  readonly run: DetailRow
  /** What is taken over from it, as things stand now. */
  readonly reuse: Reuse
  /** Queues the new run in a transaction, and answers its id. */
  readonly queue: Queueing<string>
}

/** Checks all that `rerunRun` checks. */
export async function prepareRerun(
  means: Means,
  origin: RequestOrigin,
  id: string,
  wish: Wish,
): Promise<PreparedRerun> {
  const { caller } = origin
  const db = means.database.kysely
  const run = await findVisibleRun(means, caller, id)
  requirePermission(caller, 'run.rerun', run.team_path)
  const { mode = 'whole', step, document = 'pinned' } = wish
  if ((mode === 'step') !== (step !== undefined))
    throw wrong('step', 'Name a step with the mode "step", and only there.')
  const pinned = await resolvePinned(means, db, run)
  const pipeline = document === 'newest' ? await resolveNewest(means, db, run) : pinned
  requireDeclared(pipeline, wish.variables)
  await authorizeRun(means, db, caller, { pipeline, scope: run.scope, untrusted: run.untrusted })
  const checkout = await judgeRepetition(means, caller, { run, pipeline, wish })
  const repetition = { mode, step: step ?? null }
  const reuse = mode === 'whole' ? NOTHING : await requireRepeatable(means, run, pipeline, { ...repetition, mode })
  const secrets = openVariables(means.sealer, run.id, run.sealed_variables)
  const [event] = await readEvents(means.eventTexts, db, [run])
  const queue = async (tx: Tx, kit: QueueingKit): Promise<string> => {
    const [newId = ''] = await queueRuns(kit, tx, [
      {
        pipeline,
        scope: run.scope,
        cause: 'rerun',
        rerunOf: run.id,
        rerunMode: mode,
        rerunStep: step,
        priority: document === 'newest' ? undefined : run.priority,
        initiator: principalOf(caller),
        variables: { ...overridden(run, pinned, pipeline), ...wish.variables },
        secretVariables: less(secrets, wish.variables ?? {}),
        event,
        eventId: run.event_id ?? undefined,
        triggerId: run.trigger_id ?? undefined,
        scheduleId: run.schedule_id ?? undefined,
        scheduledAt: run.scheduled_at ?? undefined,
        externalTriggerId: run.external_trigger_id ?? undefined,
        runTeamPath: run.run_team_path ?? undefined,
        manifestTrigger: run.manifest_trigger ?? undefined,
        pullRequest: run.pull_request ?? undefined,
        concurrency: lineOf(run, pipeline),
        untrusted: run.untrusted,
        hold: holdOf(run),
        repository: run.repository ?? undefined,
        ref: run.ref ?? undefined,
        branch: run.branch ?? undefined,
        ...checkout,
      },
    ])
    const { identifier, version } = pipeline
    await means.audit.record(tx, {
      origin,
      action: 'run.rerun',
      resource: { kind: 'run', id: newId },
      teamPath: pipeline.teamPath,
      after: { rerun_of: run.id, mode, step: step ?? null, pipeline: identifier, version, scope: run.scope },
    })
    return newId
  }
  return { run, reuse, queue }
}

/** A schedule has its runs in a line only where the pipeline has no group of its own. */
function lineOf(run: DetailRow, pipeline: PipelineForRun): NewRun['concurrency'] {
  const { schedule_id: schedule, concurrency_group: group } = run
  if (schedule === null || group === null || pipeline.concurrency !== null) return undefined
  return { group, onConflict: 'queue', ancestors: [], occurredAt: null, atOnce: true }
}

const NOTHING: Reuse = new Map()

async function resolvePinned(means: Means, db: Queryable, run: DetailRow): Promise<PipelineForRun> {
  const pipeline = await means.pipelines.resolveVersionForRun(db, run.pipeline_version_id)
  if (!pipeline) throw wrong('pipeline', `Version ${run.pipeline_version} of ${run.pipeline_identifier} is gone.`)
  if ('problem' in pipeline) throw wrong('profile', pipeline.problem)
  return pipeline
}

async function resolveNewest(means: Means, db: Queryable, run: DetailRow): Promise<PipelineForRun> {
  const current = await means.pipelines.find(db, run.pipeline_id)
  const pipeline = current && (await means.pipelines.resolveForRun(db, current.identifier))
  if (pipeline) return pipeline
  const why = current ? 'its profile is gone: save the pipeline again' : 'the pipeline was deleted'
  throw notRepeatable(`There is no newest document of ${run.pipeline_identifier}: ${why}.`)
}

/** Asked again when the new run begins; here so that nobody waits for a run that cannot begin. */
async function requireRepeatable(
  means: Means,
  run: DetailRow,
  pipeline: PipelineForRun,
  repetition: { readonly mode: 'failed' | 'step'; readonly step: string | null },
): Promise<Reuse> {
  if (run.finished_at === null) throw notRepeatable('The run has not finished: cancel it, or wait for its end.')
  const db = means.database.kysely
  const graph = await means.pipelines.getGraph(db, pipeline.versionId)
  const [earlier] = await loadInFlight(means, db, [run.id])
  if (!graph) throw notRepeatable('The document is gone.')
  const sameDocument = pipeline.versionId === run.pipeline_version_id
  const reuse = findReuse(graph, { of: run.id, ...repetition }, { id: run.id, state: earlier?.state, sameDocument })
  if ('problem' in reuse) throw notRepeatable(reuse.problem)
  return reuse.tasks
}

function notRepeatable(detail: string): Error {
  return runProblem('run.not_repeatable', detail)
}

/**
 * The variables of the old run. For another document only those that were not merely its own document's, and that the
 * other one declares.
 */
function overridden(run: DetailRow, pinned: PipelineForRun, wanted: PipelineForRun): Readonly<Record<string, string>> {
  const values = Object.entries(run.variables)
  if (pinned.versionId === wanted.versionId) return Object.fromEntries(values)
  return Object.fromEntries(
    values.filter(([name, value]) => pinned.variables[name] !== value && Object.hasOwn(wanted.variables, name)),
  )
}

/** A secret variable that the caller gives openly is open from then on. */
function less(
  secrets: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => !Object.hasOwn(given, name)))
}

/** A rerun does not avoid an approval. A run that began was approved, or is a rerun of an approved run. */
function holdOf(run: DetailRow): NewRun['hold'] {
  if (!run.untrusted || run.started_at !== null || run.pull_request === null) return undefined
  return { kind: 'fork_approval', pullRequest: run.pull_request }
}

import type { EventTrace } from '@signalbox/contracts/events'
import type { Caller } from '#platform/http'
import { describeHelp, describeNothing, describeStanding, type Standing } from '../rules/index.ts'
import type { AskedCommand, Effect } from './command-effect.ts'
import { type Actor, cannotWrite, findLinked, findWriter } from './find-actor.ts'
import { listRuns, newestOfEach } from './list-runs.ts'

/** What the person may do here. Strangers are told nothing: their comments would have this service write. */
export async function listForms(asked: AskedCommand): Promise<Effect> {
  const { means, source, provider, person } = asked
  const linked = await findLinked(means, { provider: source.provider, baseUrl: provider.baseUrl }, person)
  const mayWrite = await provider.mayWrite(person)
  if (!linked && !mayWrite) throw cannotWrite(provider)
  return answering(describeHelp({ mayWrite, isLinked: linked !== undefined }), linked ?? null)
}

/** Why the runs of the pull request wait, or why there is none. The pull request's own comment is written anew. */
export async function explainPullRequest(asked: AskedCommand): Promise<Effect> {
  const { means, row, source, provider, person } = asked
  const linked = await findLinked(means, { provider: source.provider, baseUrl: provider.baseUrl }, person)
  const actor = linked?.caller.can('run.read', source.teamPath) ? linked : await findWriter(means, asked)
  const runs = newestOfEach(await listRuns(asked, actor.caller))
  const standing: Standing[] = []
  for (const run of runs) standing.push(await describe(asked, actor.caller, run))
  const text = runs.length > 0 ? describeStanding(standing) : describeNothing(await findTrace(asked))
  const place = { sourceId: row.sourceId, repository: row.repository, number: row.pullRequest }
  return {
    ...answering(text, actor),
    async work(tx) {
      await means.reports.refreshComment(tx, place)
      return []
    },
  }
}

function answering(reason: string, actor: Actor | null): Effect {
  return { outcome: 'answered', reason, actor, work: async () => [] }
}

async function describe(
  { means }: AskedCommand,
  viewer: Caller,
  run: Awaited<ReturnType<typeof listRuns>>[number],
): Promise<Standing> {
  const { id, pipeline_identifier: pipeline, status } = run
  if (run.finished_at !== null) return { pipeline, status, why: run.reason }
  const requests = await means.approvals.readRequests(means.database.kysely, id, viewer)
  const open = requests.filter((request) => request.status === 'waiting')
  const asked = open.map(({ step, approvers }) => `the step ${step} waits for ${approvers.join(', ')}`)
  const why = asked.length > 0 ? asked.join('; ') : await means.runs.explainWait(viewer, id)
  return { pipeline, status, why }
}

const LOOKED_AT = 100

/** Of the newest event that is about the pull request itself. */
async function findTrace({ means, row, source }: AskedCommand): Promise<EventTrace | undefined> {
  const db = means.database.kysely
  const events = await means.events.list(db, {
    sourceIds: [source.id],
    posted: undefined,
    repository: row.repository,
    kind: 'pull_request',
    result: undefined,
    since: undefined,
    until: undefined,
    before: undefined,
    limit: LOOKED_AT,
  })
  const own = events.find(({ ref }) => ref?.split('/').includes(String(row.pullRequest)))
  if (!own || own.deliveryRecordId === null) return undefined
  const traces = await means.sources.findTrace(db, source.id, own.deliveryRecordId)
  return traces.find(({ event_id: id }) => id === own.id)
}

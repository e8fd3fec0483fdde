import type { RunExplanation, RunnerGroup } from '@signalbox/contracts/dispatch'
import type { Caller } from '#platform/http'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import type { RunDescription } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { explainRun as explain } from '../rules/explain/explain-run.ts'
import type { Hold, Lack, OutlookTask, RunOutlook, SeenEmergency } from '../rules/explain/outlook.ts'

type LeftOut = RunExplanation['left_out'][number]

const MOST_QUOTES = 20
const QUOTE_CHARACTERS = 500
const MOST_NAMED = 5

/**
 * Why a run waits, what it does, or what became of it. Throws 404 for one that the caller may not see. What takes another
 * permission is left out, and named.
 */
export async function explainRun(means: Means, caller: Caller, runId: string): Promise<RunExplanation> {
  const description = await means.runs.describe(caller, runId)
  const { run } = description
  const view = await viewRunners(means, caller, description)
  const leftOut = new Set<LeftOut>(view.hides ? ['runner.read'] : [])
  const emergency = await findEmergency(means, caller, run.scope)
  if (emergency && !emergency.seen) leftOut.add('knowledge.read')
  const outlook: RunOutlook = {
    id: run.id,
    pipeline: run.pipeline_identifier,
    teamPath: run.team_path,
    scope: run.scope,
    status: run.status,
    reason: run.reason,
    cancelReason: run.cancel_reason,
    startedAt: run.started_at,
    finishedAt: run.finished_at,
    cancelRequestedAt: run.cancel_requested_at,
    queueDeadlineAt: run.queue_deadline_at,
    deadlineAt: run.deadline_at,
    now: means.clock.now(),
    hold: holdOf(description),
    emergency,
    queue: queueOf(description, view),
    tasks: await readTasks(means, caller, description, view),
    requests: description.requests,
    mayApproveForks: caller.can('run.approve', run.team_path),
  }
  const { findings, whatToDo, quotes } = explain(outlook)
  return {
    run_id: run.id,
    pipeline: run.pipeline_identifier,
    scope: run.scope,
    status: run.status,
    queued_at: toWireTime(run.queued_at),
    started_at: toWireTimeOrNull(run.started_at),
    finished_at: toWireTimeOrNull(run.finished_at),
    findings,
    what_to_do: whatToDo,
    runners: [...view.groups],
    quotes: quotes.slice(0, MOST_QUOTES).map(({ about, text }) => ({ about, text: text.slice(0, QUOTE_CHARACTERS) })),
    left_out: [...leftOut],
  }
}

function holdOf({ run, behind }: RunDescription): Hold | undefined {
  const { status, withheld, pull_request: pullRequest, concurrency_group: group } = run
  if (status !== 'queued') return undefined
  if (withheld === 'fork_approval') return { kind: 'fork', pullRequest }
  return withheld === 'group' && group !== null ? { kind: 'group', group, behind } : undefined
}

/** Also whoever may not read knowledge learns that the run waits for it: the run says so itself. */
async function findEmergency(means: Means, caller: Caller, scope: string): Promise<SeenEmergency | undefined> {
  const found = (await means.knowledge.snapshot()).emergencyOn(scope)
  if (!found) return undefined
  const { id, reason, declaredAt, teamPath } = found
  return { declaredAt, seen: caller.can('knowledge.read', teamPath) ? { id, reason } : undefined }
}

interface RunnerView {
  /** Whether the caller may see it. */
  sees(runnerId: string): boolean
  /** Runners that may serve the run are hidden from the caller. */
  readonly hides: boolean
  readonly groups: readonly RunnerGroup[]
  /** Where runners are hidden, in words that tell nothing of any: neither what they lack nor their places. */
  lackOf(judgement: Judged | undefined): Lack | undefined
}

type Judged = NonNullable<RunDescription['judgement']>

async function viewRunners(means: Means, caller: Caller, { judgement, waiting }: RunDescription): Promise<RunnerView> {
  const all = await means.runners.list(means.database.kysely)
  const visible = new Set(all.filter(({ teamPath }) => caller.can('runner.read', teamPath)).map(({ id }) => id))
  const sees = (id: string): boolean => visible.has(id)
  const judged = judgement ? [judgement] : [...new Set(waiting.values())]
  const verdicts = judged.flatMap((each) => each.verdicts)
  return {
    sees,
    hides: verdicts.some(({ runnerId }) => !sees(runnerId)),
    groups: groupVerdicts(verdicts.filter(({ runnerId }) => sees(runnerId))),
    lackOf(found) {
      if (!found) return undefined
      const { reason, unmet, places } = found
      if (found.verdicts.every(({ runnerId }) => sees(runnerId))) return { reason, unmet, places }
      const said = reason === null ? null : 'No runner can take it at this moment.'
      return { reason: said, unmet: undefined, places: undefined }
    },
  }
}

function groupVerdicts(verdicts: Judged['verdicts']): readonly RunnerGroup[] {
  return [...Map.groupBy(verdicts, ({ verdict }) => verdict)]
    .map(([verdict, all]) => {
      const runners = new Map(all.map(({ runnerId: id, runnerName: name }) => [id, { id, name }]))
      return { verdict, count: runners.size, runners: [...runners.values()].slice(0, MOST_NAMED) }
    })
    .toSorted((left, right) => right.count - left.count)
}

function queueOf({ judgement, place }: RunDescription, { lackOf }: RunnerView): RunOutlook['queue'] {
  const lack = lackOf(judgement)
  if (!lack || !place) return undefined
  return { ...lack, before: place.before, counted: place.counted, estimateSeconds: place.estimateSeconds }
}

async function readTasks(
  means: Means,
  caller: Caller,
  description: RunDescription,
  view: RunnerView,
): Promise<readonly OutlookTask[]> {
  const { run, graph, tasks, attempts, waiting } = description
  const isUnderWay = run.started_at !== null && run.finished_at === null
  const usual = isUnderWay ? await means.runs.listUsualTimes(run) : []
  const usualMs = new Map(usual.map(({ step, task, median_ms }) => [`${step}/${task}`, median_ms]))
  const children = [...attempts.values()].flatMap((all) => all.flatMap(({ childRunId }) => childRunId ?? []))
  const seen = await means.runs.listSeen(means.database.kysely, caller, children)
  return (graph?.steps ?? []).flatMap((step) =>
    step.tasks.map((task) => {
      const path = `${step.name}/${task.name}`
      const row = tasks.get(path)
      const last = attempts.get(path)?.at(-1)
      const isChildSeen = !!last?.childRunId && seen.has(last.childRunId)
      return {
        step: step.name,
        task: task.name,
        status: row?.status ?? 'pending',
        startedAt: row?.started_at ?? null,
        retryAt: row?.retry_at ?? null,
        attempt: last && {
          status: last.status,
          startedAt: last.startedAt,
          leasedAt: last.leasedAt,
          reason: last.reason,
          runnerId: last.runnerId !== null && view.sees(last.runnerId) ? last.runnerId : undefined,
          child: last.childRunId === null ? undefined : isChildSeen ? last.childRunId : 'hidden',
        },
        usualMs: usualMs.get(path),
        lack: view.lackOf(waiting.get(path)),
      }
    }),
  )
}

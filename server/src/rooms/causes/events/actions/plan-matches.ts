import type { Layer, TriggerTrace } from '@signalbox/contracts/events'
import type { TriggerMatch } from '#rooms/causes/triggers'
import type { Means } from '../means.ts'
import { isFromFork } from '../rules/index.ts'
import type { CommentedRule, PlannedCancel, PlannedStart, PlanRequest } from './event-plan.ts'
import { tryStart } from './start-run.ts'
import { traceMatch } from './trace-plan.ts'

export interface PlannedMatches {
  readonly starts: readonly PlannedStart[]
  readonly cancels: readonly PlannedCancel[]
  readonly refused: number
  /** Ids of triggers that the whole list of changed files decides. */
  readonly deferred: readonly string[]
  readonly traces: readonly TriggerTrace[]
  readonly commented?: readonly CommentedRule[]
}

export interface Matches {
  readonly layer: Extract<Layer, 'repository_manifest' | 'service_trigger'>
  readonly matches: readonly TriggerMatch[]
  /**
   * The part that waits for the repository. `paths`: a rule undecided for want of changed files, which otherwise counts
   * as a match. `everything`: the commit itself has to be asked for.
   */
  readonly defers: 'nothing' | 'paths' | 'everything'
}

const CANCEL = '/cancel'

/** The runs of the rules that matched and may start; for each other rule the reason why not. */
export async function planMatches(
  means: Means,
  request: PlanRequest,
  eventId: string,
  { layer, matches, defers }: Matches,
): Promise<PlannedMatches> {
  const starts: PlannedStart[] = []
  const cancels: PlannedCancel[] = []
  const deferred: string[] = []
  const traces: TriggerTrace[] = []
  const commented: CommentedRule[] = []
  let refused = 0
  const trace = (
    match: TriggerMatch,
    outcome: TriggerTrace['outcome'],
    reason: string | null,
    runId: string | null,
  ) => {
    traces.push(traceMatch(layer, match, { outcome, reason, runId }))
    const { name, pipeline, reportComment } = match.trigger
    if (!reportComment || request.event.pull_request === null || match.command === CANCEL) return
    const why = runId === null ? whyNothing(match, outcome) : null
    if (why !== undefined) commented.push({ name, pipeline, runId, reason: why })
  }
  const refuse = (match: TriggerMatch, reason: string) => {
    refused += 1
    means.evaluated('refused')
    trace(match, 'refused', reason, null)
  }

  for (const match of matches) {
    const { trigger } = match
    if (!match.matched) {
      means.evaluated('not_matched')
      trace(match, 'not_matched', null, null)
    } else if (trigger.id !== null && isDeferred(defers, match)) {
      deferred.push(trigger.id)
      trace(match, 'deferred', whyDeferred(defers, match), null)
    } else if (match.command === CANCEL) {
      const refusal = match.refusal ?? whyNoCancel(match, request)
      if (refusal !== null) {
        refuse(match, refusal)
        continue
      }
      const cancel = cancelOf(layer, match, request)
      if (cancel) cancels.push(cancel)
      trace(match, 'canceled_runs', `The comment cancels what ${trigger.name} runs for this pull request.`, null)
    } else if (match.refusal !== null || !match.variables.ok) {
      refuse(match, match.refusal ?? 'The variables of the run cannot be made.')
    } else {
      const start = await tryStart(means, request, eventId, {
        pipeline: trigger.pipeline,
        scope: trigger.scope,
        owner: trigger.owner,
        triggerId: trigger.id ?? undefined,
        manifestTrigger: trigger.id === null ? trigger.name : undefined,
        variables: match.variables.values,
        concurrency: match.concurrency,
      })
      if ('refusal' in start) refuse(match, start.refusal)
      else {
        starts.push({ starter: starterOf(match), run: start.run })
        means.evaluated('started')
        const held = isFromFork(request.event)
        trace(match, held ? 'held' : 'started', held ? HELD : null, start.run.id)
      }
    }
  }
  return { starts, cancels, refused, deferred, traces, commented }
}

/** Conditions on what a pull request is and holds: people wonder why a rule with such a one started nothing. */
const TOLD_CONDITIONS: readonly TriggerMatch['firstFailed'][] = ['ref', 'draft', 'labels', 'paths', 'if']

/** Why a rule started nothing, for a comment that everybody may read: a refusal may name secrets and other teams. */
function whyNothing({ firstFailed }: TriggerMatch, outcome: TriggerTrace['outcome']): string | undefined {
  if (outcome === 'refused') return 'It may not start; the record of the delivery says why.'
  if (outcome !== 'not_matched' || !TOLD_CONDITIONS.includes(firstFailed)) return undefined
  return `Its condition ${firstFailed} does not hold.`
}

function isDeferred(defers: Matches['defers'], { pathsUndecided, membershipUndecided }: TriggerMatch): boolean {
  return membershipUndecided || defers === 'everything' || (defers === 'paths' && pathsUndecided)
}

function whyDeferred(defers: Matches['defers'], { membershipUndecided }: TriggerMatch): string {
  if (membershipUndecided) return MEMBER_IS_ASKED
  return defers === 'everything' ? COMMIT_IS_READ : FILES_ARE_READ
}

const MEMBER_IS_ASKED = 'The provider is being asked whether the author of the comment may write to the repository.'

export const COMMIT_IS_READ = 'The commit of the pull request is being read from the repository.'
const FILES_ARE_READ = 'The files that changed are being read from the repository.'

export const HELD =
  'The pull request comes from a fork or an unknown place: the run waits until a member approves its commit.'

/**
 * Of a manifest with its pipeline: a source of another team may tell of the same repository, but its entries cannot start
 * this one.
 */
function starterOf({ trigger }: TriggerMatch): string {
  return trigger.id ?? `manifest:${trigger.pipeline} ${trigger.name}`
}

/** Anybody may post a comment of somebody else. */
function whyNoCancel({ trigger }: TriggerMatch, { poster }: PlanRequest): string | null {
  const team = trigger.pipeline.slice(0, trigger.pipeline.lastIndexOf('/'))
  if (poster === null || poster.can('run.cancel', team)) return null
  return `The poster of an event without a signature must be allowed to cancel runs of ${team}.`
}

function cancelOf(
  layer: Matches['layer'],
  { trigger }: TriggerMatch,
  { event }: PlanRequest,
): PlannedCancel | undefined {
  const pullRequest = event.pull_request?.number
  if (pullRequest === undefined) return undefined
  return {
    triggerId: trigger.id,
    manifestTrigger: layer === 'repository_manifest' ? trigger.name : null,
    teamPath: layer === 'repository_manifest' ? trigger.teamPath : null,
    repository: event.repository.full_name,
    pullRequest,
    by: event.comment?.author?.login ?? event.sender?.login ?? 'a comment',
  }
}

import { isAboutPullRequest } from '@signalbox/contracts/event'
import type { ConditionTrace } from '@signalbox/contracts/events'
import type { ForgePullRequest } from '#adapters/forges'
import { principalOf } from '#platform/http'
import type { NewRun } from '#rooms/execution/runs'
import { type Command, isWithin } from '../rules/index.ts'
import type { AskedCommand, Effect } from './command-effect.ts'
import { type Actor, findWriter, originFor, recordAsker } from './find-actor.ts'
import { CommandRefused } from './refuse-command.ts'

type RunCommand = Extract<Command, { verb: 'run' }>

/**
 * A run of the pull request's head as the provider names it now. From a fork it is untrusted and waits for a member, as
 * every run of a fork.
 */
export async function startPipeline(asked: AskedCommand, command: RunCommand): Promise<Effect> {
  const { means, row, event, source, provider, person } = asked
  const actor = await findWriter(means, asked)
  const head = await provider.findPullRequest()
  if (!head.open) throw new CommandRefused('not_possible', 'The pull request is closed.')
  const identifier = command.pipeline.includes('/') ? command.pipeline : `${source.teamPath}/${command.pipeline}`
  const teamPath = identifier.slice(0, identifier.lastIndexOf('/'))
  if (!actor.isLinked && !isWithin(teamPath, source.teamPath)) {
    const within = `Only pipelines of ${source.teamPath} and below start for somebody who is no user of this service.`
    throw new CommandRefused('not_permitted', within)
  }
  // Whoever may change the pipeline may have it run any code; for all others a rule has named the two together.
  const isHere = await isRunHere(asked, identifier)
  if (!actor.isLinked && !isHere) {
    const reason = `No trigger runs ${identifier} for pull requests of this repository: that takes a user of this service.`
    throw new CommandRefused('not_permitted', reason)
  }
  const scope = await chooseScope(asked, actor, { wanted: command.scope, teamPath, fromFork: head.fromFork })
  const judged = await means.runs.judgeStart(actor.caller, actor.caller.name, {
    pipeline: identifier,
    scope,
    variables: command.variables,
    namesRepository: !isHere,
  })
  if ('refusal' in judged) {
    const { why, reason } = judged.refusal
    throw new CommandRefused(why === 'denied' ? 'not_permitted' : 'not_possible', reason)
  }
  const { pipeline } = judged
  const who = person.login ?? person.id ?? 'somebody'
  const run: NewRun & { readonly id: string } = {
    id: means.ids.next(),
    pipeline,
    scope,
    cause: 'event',
    initiator: principalOf(actor.caller),
    variables: command.variables,
    eventId: row.eventId,
    deliveryRecordId: row.deliveryRecordId,
    note: `Asked for by ${who} in a comment.`,
    ...checkoutOf(asked, head),
  }
  return {
    outcome: 'started',
    reason: `${identifier} is queued for ${head.headSha}.`,
    actor,
    async work(tx) {
      await means.runs.queue(tx, [run])
      await recordAsker(asked, tx, [run.id])
      await means.audit.record(tx, {
        origin: originFor(row, actor, person),
        action: 'run.started',
        resource: { kind: 'run', id: run.id },
        teamPath,
        after: {
          pipeline: identifier,
          version: pipeline.version,
          scope,
          repository: event.repository.full_name,
          commit_sha: head.headSha,
          variables: Object.keys(command.variables),
          untrusted: head.fromFork,
        },
      })
      return [run.id]
    },
  }
}

function checkoutOf({ event, row, source }: AskedCommand, head: ForgePullRequest): Partial<NewRun> {
  const { headSha, headRef, baseRef, fromFork } = head
  const { pull_request: told, repository } = event
  const cloneUrl = repository.clone_url
  const pullRequest = told && {
    ...told,
    from_fork: fromFork,
    head: { ...told.head, sha: headSha, ref: headRef },
    base: { ...told.base, ref: baseRef },
  }
  return {
    event: { ...event, after: headSha, branch: baseRef, pull_request: pullRequest },
    repository: repository.full_name,
    cloneUrl: cloneUrl ?? undefined,
    ref: event.ref ?? undefined,
    branch: baseRef ?? undefined,
    commitSha: headSha,
    checkoutCredentialRef:
      cloneUrl !== null && source.owns(cloneUrl) ? (source.checkoutCredentialRef ?? undefined) : undefined,
    pullRequest: row.pullRequest,
    untrusted: fromFork,
    hold: fromFork ? { kind: 'fork_approval', pullRequest: row.pullRequest } : undefined,
  }
}

interface ScopeWish {
  readonly wanted: string | undefined
  readonly teamPath: string
  readonly fromFork: boolean
}

/** A protected scope names who may use it: it is never for code of a fork, nor for a person who is no user here. */
async function chooseScope({ means }: AskedCommand, actor: Actor, wish: ScopeWish): Promise<string> {
  const db = means.database.kysely
  const found =
    wish.wanted === undefined ? await means.runs.findDefaultScope(db, wish.teamPath) : { scope: wish.wanted }
  if ('problem' in found) {
    throw new CommandRefused('not_possible', `Write /run <pipeline> on <scope>. ${found.problem}`)
  }
  const { scope } = found
  if (actor.isLinked && !wish.fromFork) return scope
  const isProtected = (await means.teams.resolveScope(db, scope))?.protected !== false
  if (!isProtected) return scope
  // In the same words where there is none: who may not use it need not hear which there are.
  const why = wish.fromFork ? 'code of a fork' : 'somebody who is no user of this service'
  throw new CommandRefused('not_permitted', `The scope ${scope} is protected or does not exist: it is not for ${why}.`)
}

/**
 * Whether a trigger of pull requests names this repository and the pipeline, or a rule started it for one before. A comment
 * must not have just any pipeline, with its secrets, run the code of just any repository.
 */
async function isRunHere({ means, event, source }: AskedCommand, pipeline: string): Promise<boolean> {
  const { context } = await means.sources.repositoryOf(source.id, event)
  if (context) {
    const matches = (await means.triggers.matcher()).match(event, context)
    const isNamed = matches.some(
      ({ trigger, conditions }) =>
        trigger.pipeline === pipeline && trigger.events.some(isAboutPullRequest) && isAtPlace(conditions),
    )
    if (isNamed) return true
  }
  const origins = await means.runs.listRuleOrigins(means.database.kysely, pipeline, event.repository.full_name)
  return origins.some((cloneUrl) => source.owns(cloneUrl))
}

/** Conditions of the place that are left out hold; that of the repository is always there. */
function isAtPlace(conditions: readonly Pick<ConditionTrace, 'condition' | 'passed'>[]): boolean {
  const place = conditions.filter(({ condition }) => PLACE.has(condition))
  return place.some(({ condition }) => condition === 'repository') && place.every(({ passed }) => passed === true)
}

const PLACE: ReadonlySet<string> = new Set(['enabled', 'source', 'repository'])

import type { RunnerNeed, RunnerVerdicts } from '@signalbox/contracts/dispatch'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Requirement } from '#rooms/catalog/profiles'
import type { Means } from '../means.ts'

/**
 * Who could take this? The verdict of each runner that the caller may see, in the words in which the queue explains itself.
 * Throws invalid_request (400) for a scope that the caller may not see, and for a profile that its team may not use.
 */
export async function judgeRunners(means: Means, caller: Caller, need: RunnerNeed): Promise<RunnerVerdicts> {
  const db = means.database.kysely
  const { scope } = need
  const teamPath = scope.slice(0, scope.lastIndexOf('/'))
  const isScope = (await means.teams.resolveScope(db, scope)) !== undefined
  if (!caller.can('environment.read', teamPath) || !isScope) {
    throw wrong('scope', `There is no scope ${scope} that you may see.`)
  }
  const requirement = await completeRequirement(means, need, teamPath)
  const leased = await means.runs.progress.countLeased(db)
  const visible = (await means.runners.list(db)).filter((runner) => caller.can('runner.read', runner.teamPath))
  const states = visible.map((runner) => means.runners.stateOf(runner, leased.get(runner.id) ?? 0))
  const { verdicts, reason } = means.runners.judge({ scope, requirement }, states)
  const runners = verdicts.map(({ runnerId, runnerName, verdict }) => ({
    runner_id: runnerId,
    runner: runnerName,
    verdict,
  }))
  const emergency = (await means.knowledge.snapshot()).emergencyOn(scope)
  return {
    scope,
    executor: requirement.executor,
    labels: [...requirement.labels],
    reason: emergency ? `An emergency holds in ${scope}: no run begins there until it is lifted.` : reason,
    runners,
  }
}

async function completeRequirement(means: Means, need: RunnerNeed, teamPath: string): Promise<Requirement> {
  const profile = await means.profiles.resolve(means.database.kysely, need.profile, teamPath)
  if ('problem' in profile) throw wrong('profile', profile.problem)
  const { executor, labels } = profile.requirement
  return { executor: need.executor ?? executor, labels: [...new Set([...labels, ...(need.labels ?? [])])] }
}

function wrong(field: string, message: string): Error {
  return platformProblem('invalid_request', message, { errors: [{ field, message }] })
}

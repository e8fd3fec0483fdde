import type { ApprovalInput } from '@signalbox/contracts/approvals'
import type { Tx } from '#platform/database'
import type { PullRequestRun } from '#rooms/execution/runs'
import type { AskedCommand, Effect } from './command-effect.ts'
import { type Actor, findLinked, originFor } from './find-actor.ts'
import { listRuns } from './list-runs.ts'
import { CommandRefused } from './refuse-command.ts'

/** The name of the approval of a run of a fork. */
const FORK = 'fork'

/** Lets the held runs of a fork begin that are of this very commit. */
export async function approveFork(asked: AskedCommand, sha: string): Promise<Effect> {
  const { means } = asked
  const actor = await findApprover(asked)
  await requireHead(asked, sha)
  const held = (await listRuns(asked, actor.caller)).filter(
    (run) => run.withheld === 'fork_approval' && run.finished_at === null && run.commit_sha === sha,
  )
  if (held.length === 0) {
    throw new CommandRefused('nothing_to_do', `No run of ${sha} waits for the approval of a fork that you may see.`)
  }
  const origin = originFor(asked.row, actor, asked.person)
  const decisions: ((tx: Tx) => Promise<unknown>)[] = []
  for (const run of held) decisions.push(await means.runs.prepareForkDecision(origin, run.id, approvalOf(sha)))
  return approving(asked, { actor, runs: held, decisions, what: FORK })
}

/** Approves the step of the one run of this very commit that waits there. */
export async function approveStep(asked: AskedCommand, step: string, sha: string): Promise<Effect> {
  if (step === FORK) return approveFork(asked, sha)
  const { means } = asked
  const actor = await findApprover(asked)
  await requireHead(asked, sha)
  const waiting: PullRequestRun[] = []
  const ofHead = (await listRuns(asked, actor.caller)).filter(
    (run) => run.commit_sha === sha && run.finished_at === null,
  )
  for (const run of ofHead) {
    const requests = await means.approvals.readRequests(means.database.kysely, run.id, actor.caller)
    if (requests.some((request) => request.step === step && request.status === 'waiting')) waiting.push(run)
  }
  const [run, ...others] = waiting
  if (!run) throw new CommandRefused('nothing_to_do', `No run of ${sha} that you may see waits at a step ${step}.`)
  if (others.length > 0) {
    const where = waiting.map((each) => each.pipeline_identifier).join(', ')
    throw new CommandRefused('not_possible', `Several runs wait at ${step} (${where}): approve them on their pages.`)
  }
  const origin = originFor(asked.row, actor, asked.person)
  const decide = await means.approvals.prepareDecision(origin, { runId: run.id, step }, approvalOf(sha))
  if (!decide) throw new CommandRefused('nothing_to_do', `The run has not reached the step ${step}.`)
  return approving(asked, { actor, runs: [run], decisions: [decide], what: step })
}

/** A user of this service: what they may approve is for their own rights to say, not for the provider. */
async function findApprover({ means, source, provider, person }: AskedCommand): Promise<Actor> {
  const linked = await findLinked(means, { provider: source.provider, baseUrl: provider.baseUrl }, person)
  if (linked) return linked
  throw new CommandRefused(
    'not_linked',
    `Your account at ${provider.title} is linked to no user of this service: sign in by it once, or ask an administrator.`,
  )
}

/** Asked at this moment: what came after the comment was not looked at. */
async function requireHead({ provider }: AskedCommand, sha: string): Promise<void> {
  const { headSha } = await provider.findPullRequest()
  if (headSha === sha) return
  throw new CommandRefused('head_moved', `The pull request is at ${headSha}: look at that commit, and name it.`)
}

function approvalOf(sha: string): ApprovalInput {
  return { decision: 'approve', commit_sha: sha, comment: 'Approved in a comment of the pull request.' }
}

interface Approving {
  readonly actor: Actor
  readonly runs: readonly PullRequestRun[]
  readonly decisions: readonly ((tx: Tx) => Promise<unknown>)[]
  readonly what: string
}

function approving(asked: AskedCommand, { actor, runs, decisions, what }: Approving): Effect {
  return {
    outcome: 'approved',
    reason: `${what} is approved for ${runs.map((run) => run.pipeline_identifier).join(', ')}.`,
    actor,
    async work(tx) {
      for (const decide of decisions) await decide(tx)
      return runs.map((run) => run.id)
    },
    done: () => asked.means.onRunsQueued(),
  }
}

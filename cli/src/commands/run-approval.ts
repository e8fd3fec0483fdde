import type { ApprovalAnswer } from '@signalbox/contracts/approvals'
import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import type { ApprovalRequest, RunDetail } from '@signalbox/contracts/runs'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import type { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { collectPair } from './parse-arguments.ts'

interface DecideOptions extends ApiOptions {
  readonly comment?: string
  readonly commit?: string
  readonly field?: Readonly<Record<string, string>>
}

export function approveCommand(context: Context): Command {
  return decideCommand(context, 'approve', 'approve a step of a run, or a run of a pull request from a fork').option(
    '-f, --field <name=value>',
    'value of a field that the step asks for; may be repeated',
    collectPair,
  )
}

export function rejectCommand(context: Context): Command {
  return decideCommand(context, 'reject', 'reject a step of a run: the run fails')
}

function decideCommand(context: Context, decision: 'approve' | 'reject', description: string): Command {
  return apiCommand(decision, description)
    .argument('<run>', 'id of the run')
    .argument('[step]', 'the approval step (default: the only waiting step)')
    .option('-m, --comment <text>', 'the reason, which is shown with the run')
    .option('--commit <sha>', 'the full id of the commit that you reviewed; refused if the run has another commit')
    .action(async (id: string, step: string | undefined, options: DecideOptions) => {
      const { comment, commit: commit_sha, field: fields } = options
      if (commit_sha !== undefined && !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit_sha)) {
        throw new CommandFailed(
          'usage',
          `--commit ${commit_sha} is no whole commit id: an approval is of exactly one commit, and several can begin alike.`,
          `Give all 40 characters; \`signalbox run show ${id}\` prints the commit of the run.`,
        )
      }
      const client = context.connect(options)
      const wanted = step ?? waitingStep(id, await client.call(runRoutes.getRun, { params: { id } }))
      const answer = await client.call(approvalRoutes.decideApproval, {
        params: { id, step: wanted },
        body: { decision, comment, commit_sha, fields },
      })
      if (options.json) return context.printJson(answer)
      return context.printNote(outcomeOf(id, decision, answer))
    })
}

/** How many have approved whose approval still counts. */
export function countGiven({ decisions }: ApprovalRequest): number {
  return decisions.filter((one) => one.decision === 'approve' && one.lapsed === null).length
}

/** The one step that a decision without a name can be about. */
function waitingStep(id: string, run: RunDetail): string {
  if (run.hold !== null) return 'fork'
  const waiting = run.approval_requests.filter((request) => request.status === 'waiting')
  const [only] = waiting
  if (only && waiting.length === 1) return only.step
  if (waiting.length === 0) {
    throw new CommandFailed('conflict', `Run ${id} waits for no approval; it is ${run.status}.`)
  }
  const names = waiting.map((request) => request.step).join(', ')
  throw new CommandFailed('usage', `Run ${id} waits for several approvals.`, `Name one of them: ${names}.`)
}

function outcomeOf(id: string, decision: string, answer: ApprovalAnswer): string {
  const { status, reason, request } = answer
  if (decision === 'reject') return `Run ${id} is rejected and ${request === null ? 'has ended' : 'fails'}.`
  if (request?.status === 'waiting') {
    return `Approved: ${countGiven(request)} of ${request.required} that step ${request.step} of run ${id} needs.`
  }
  if (request !== null) return `Step ${request.step} of run ${id} is approved; the run goes on.`
  return `Run ${id} is approved; it is ${reason === null ? status : `${status}: ${reason}`}.`
}

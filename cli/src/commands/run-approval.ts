import type { Command } from 'commander'
import { approvalAnswer } from '../client/answers.ts'
import { segment } from '../client/client.ts'
import { anything } from '../client/shape.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printJson, printNote } from './context.ts'

interface DecideOptions extends ApiOptions {
  readonly comment?: string
  readonly commit?: string
}

export function approveCommand(context: Context): Command {
  return decideCommand(context, 'approve', 'let a run of a pull request from a fork begin, at its commit')
}

export function rejectCommand(context: Context): Command {
  return decideCommand(context, 'reject', 'end a run that waits for an approval')
}

function decideCommand(context: Context, decision: 'approve' | 'reject', description: string): Command {
  return apiCommand(decision, description)
    .argument('<run>', 'id of the run')
    .option('-m, --comment <text>', 'why; shown with the run')
    .option('--commit <sha>', 'the commit that you looked at, in full: refused where the run is of another')
    .action(async (id: string, options: DecideOptions) => {
      const { comment, commit: commit_sha } = options
      const body = { decision, comment, commit_sha }
      const answer = await clientOf(context, options).post(`/v1/runs/${segment(id)}/approvals/fork`, anything, { body })
      if (options.json) return printJson(context, answer)
      const { status, reason } = approvalAnswer(answer, 'approval')
      if (decision === 'reject') return printNote(context, `Run ${id} is rejected and has ended.`)
      const now = reason === null ? status : `${status}: ${reason}`
      return printNote(context, `Run ${id} is approved; it is ${now}.`)
    })
}

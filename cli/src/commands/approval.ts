import type { Command } from 'commander'
import { type ApprovalRequest, approvalRequest, countGiven } from '../client/approval-answers.ts'
import { anything } from '../client/shape.ts'
import { ago, until } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, group, printJson, printTable } from './context.ts'
import { readLimit } from './parse-arguments.ts'
import { approveCommand, rejectCommand } from './run-approval.ts'

export function approvalCommand(context: Context): Command {
  return group('approval', 'approvals: what waits for your decision', [
    listCommand(context),
    approveCommand(context),
    rejectCommand(context),
  ])
}

function listCommand(context: Context): Command {
  return apiCommand('list', 'steps and runs that wait for your decision')
    .option('-t, --team <path>', 'of this team and those below it')
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .action(async (options: ApiOptions & { team?: string; limit: number }) => {
      const query = { team_path: options.team }
      const answer = await clientOf(context, options).list('/v1/approvals', anything, options.limit, { query })
      if (options.json) return printJson(context, answer)
      const rows = answer.map((item) => rowOf(approvalRequest(item, 'approval'), Date.now()))
      const head = ['run', 'step', 'pipeline', 'scope', 'commit', 'given', 'asked', 'time left', 'message']
      return printTable(context, head, rows)
    })
}

function rowOf(request: ApprovalRequest, now: number): string[] {
  return [
    request.run_id,
    request.step,
    request.pipeline,
    request.scope,
    request.commit_sha?.slice(0, 10) ?? '',
    `${countGiven(request)} of ${request.required}`,
    `${ago(request.requested_at, now)} for ${request.initiator.name}`,
    request.deadline_at === null ? '' : until(request.deadline_at, now),
    messageOf(request),
  ]
}

/** What the step says and what it wants filled in. */
function messageOf({ message, fields }: ApprovalRequest): string {
  const wanted = fields.map(({ name, type, options }) => `${name} (${type === 'choice' ? options.join('|') : type})`)
  return [message ?? '', wanted.length === 0 ? '' : `fields: ${wanted.join(', ')}`]
    .filter((part) => part !== '')
    .join('; ')
}

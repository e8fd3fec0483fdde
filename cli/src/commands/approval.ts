import type { ApprovalRequest } from '@signalbox/contracts/approvals'
import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import type { Command } from 'commander'
import { ago, until } from '../output/durations.ts'
import { apiCommand, type Context, group } from './context.ts'
import { type Columns, printList, type TeamListOptions, teamOption, withLimit } from './listing.ts'
import { approveCommand, countGiven, rejectCommand } from './run-approval.ts'

export function approvalCommand(context: Context): Command {
  return group('approval', 'approvals that wait for your decision', [
    listOf(context),
    approveCommand(context),
    rejectCommand(context),
  ])
}

function listOf(context: Context): Command {
  const command = apiCommand('list', 'list steps and runs that wait for your decision')
    .addOption(teamOption('of this team and teams below it'))
    .option('--decided', 'list what was decided, by whom and when, instead of what waits')
  return withLimit(command).action((options: TeamListOptions & { readonly decided?: true }) => {
    const { team: team_path, decided: isDecided } = options
    const query = { team_path, ...(isDecided ? { state: 'decided' as const } : {}) }
    const columns = isDecided ? DECIDED : WAITING
    return printList(
      context,
      context.connect(options),
      { operation: approvalRoutes.listApprovals, columns, query },
      options,
    )
  })
}

const SUBJECT: Columns<ApprovalRequest> = [
  ['run', (request) => request.run_id],
  ['step', ({ step }) => step],
  ['pipeline', ({ pipeline }) => pipeline],
  ['scope', ({ scope }) => scope],
  ['commit', ({ commit_sha }) => commit_sha?.slice(0, 10) ?? ''],
]

const WAITING: Columns<ApprovalRequest> = [
  ...SUBJECT,
  ['given', (request) => `${countGiven(request)} of ${request.required}`],
  ['asked', (request, now) => `${ago(request.requested_at, now)} for ${request.initiator.name}`],
  ['time left', ({ deadline_at }, now) => (deadline_at === null ? '' : until(deadline_at, now))],
  ['message', messageOf],
]

const DECIDED: Columns<ApprovalRequest> = [
  ...SUBJECT,
  ['status', ({ status }) => status.replace('_', ' ')],
  ['by', ({ decisions }) => decisions.map(({ by }) => by.name).join(', ')],
  ['decided', ({ decided_at }, now) => (decided_at === null ? '' : ago(decided_at, now))],
  ['comments', ({ decisions }) => decisions.flatMap(({ comment }) => comment ?? []).join('; ')],
]

/** The step's message and the fields that it asks for. */
function messageOf({ message, fields }: ApprovalRequest): string {
  const wanted = fields.map(({ name, type, options }) => `${name} (${type === 'choice' ? options.join('|') : type})`)
  return [message ?? '', wanted.length === 0 ? '' : `fields: ${wanted.join(', ')}`]
    .filter((part) => part !== '')
    .join('; ')
}

import type { ApprovalRequest } from '@signalbox/contracts/approvals'
import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import type { Command } from 'commander'
import { ago, until } from '../output/durations.ts'
import { type Context, group } from './context.ts'
import { listCommand, queryOfTeam, teamOption } from './listing.ts'
import { approveCommand, countGiven, rejectCommand } from './run-approval.ts'

export function approvalCommand(context: Context): Command {
  return group('approval', 'approvals that wait for your decision', [
    listOf(context),
    approveCommand(context),
    rejectCommand(context),
  ])
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list steps and runs that wait for your decision',
    operation: approvalRoutes.listApprovals,
    options: [teamOption('of this team and teams below it')],
    query: queryOfTeam,
    columns: [
      ['run', (request) => request.run_id],
      ['step', ({ step }) => step],
      ['pipeline', ({ pipeline }) => pipeline],
      ['scope', ({ scope }) => scope],
      ['commit', ({ commit_sha }) => commit_sha?.slice(0, 10) ?? ''],
      ['given', (request) => `${countGiven(request)} of ${request.required}`],
      ['asked', (request, now) => `${ago(request.requested_at, now)} for ${request.initiator.name}`],
      ['time left', ({ deadline_at }, now) => (deadline_at === null ? '' : until(deadline_at, now))],
      ['message', messageOf],
    ],
  })
}

/** The step's message and the fields that it asks for. */
function messageOf({ message, fields }: ApprovalRequest): string {
  const wanted = fields.map(({ name, type, options }) => `${name} (${type === 'choice' ? options.join('|') : type})`)
  return [message ?? '', wanted.length === 0 ? '' : `fields: ${wanted.join(', ')}`]
    .filter((part) => part !== '')
    .join('; ')
}

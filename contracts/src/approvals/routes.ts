import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const approvalRoutes = routesOf<typeof shapes>()({
  listApprovals: {
    tag: 'approvals',
    method: 'GET',
    path: '/v1/approvals',
    summary: 'List what waits for the decision of the caller, or what was decided; newest first',
    permission: 'run.read',
    query: 'ApprovalQuery',
    answers: { 200: ['ApprovalRequest'] },
  },
  decideApproval: {
    tag: 'approvals',
    method: 'POST',
    path: '/v1/runs/:id/approvals/:step',
    summary: 'Approve or reject a step of a run, or (fork) a run of a pull request from a fork',
    permission: 'run.read',
    params: 'ApprovalParams',
    body: 'ApprovalInput',
    answers: { 200: 'ApprovalAnswer' },
  },
})

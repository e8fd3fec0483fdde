import type { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'

/** A step of a run that waits, or waited, for people. */
export type ApprovalRequest = ItemOf<typeof approvalRoutes.listApprovals>
export type ApprovalField = ApprovalRequest['fields'][number]

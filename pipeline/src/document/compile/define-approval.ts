import type { ApprovalAction, GraphApprovalField } from '../../graph/index.ts'
import { type ApprovalOutline, millisecondsOf } from '../outline/index.ts'

/** How long people have where the document does not say: 7 days. */
const DEFAULT_TIMEOUT_MS = 604_800_000

export function approvalAction(approval: ApprovalOutline): ApprovalAction {
  return {
    kind: 'approval',
    approval: {
      approvers: [...new Set(approval.approvers.map((approver) => approver.value))],
      required: approval.required?.value ?? 1,
      timeoutMs: millisecondsOf(approval.timeout) ?? DEFAULT_TIMEOUT_MS,
      reminderMs: millisecondsOf(approval.remindAfter) ?? null,
      allowSelf: approval.allowSelf,
      message: approval.message ?? null,
      fields: approval.fields.map((field) => ({
        name: field.name?.value ?? '',
        type: typeOf(field.type),
        required: field.required,
        options: field.options.map((option) => option.value),
        default: field.default?.value ?? null,
        description: field.description ?? null,
      })),
    },
  }
}

function typeOf(type: string | undefined): GraphApprovalField['type'] {
  return type === 'choice' || type === 'boolean' ? type : 'text'
}

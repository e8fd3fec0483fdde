import { defineProblems } from '#platform/problems'

export const approvalProblem = defineProblems({
  'approval.decided': { status: 409, title: 'The approval is decided' },
  'approval.run_canceled': { status: 409, title: 'The run is being canceled' },
  'approval.commit_differs': { status: 409, title: 'The run is of another commit' },
  'approval.not_approver': { status: 403, title: 'The caller may not decide about the step' },
  'approval.field_invalid': { status: 400, title: 'A field of the approval is not valid' },
})

export { ApprovalCard } from './approval-card.tsx'
export { DecideForm } from './decide-form.tsx'

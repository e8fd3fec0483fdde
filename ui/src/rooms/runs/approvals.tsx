import type { ReactNode } from 'react'
import { EmptyState, ForeignText, Instant, Section, StatusBadge } from '../../components/index.ts'
import { ApprovalCard } from '../approvals/index.ts'
import { ForkApproval } from './fork-approval.tsx'
import type { Run } from './run.ts'

/** Who was asked about the run, who decided what, and the form to decide. */
export function Approvals({ run }: { readonly run: Run }): ReactNode {
  const ofForks = run.approvals.filter(({ name }) => name === 'fork')
  if (run.approval_requests.length === 0 && run.hold === null && ofForks.length === 0) {
    return (
      <EmptyState title="Nobody was asked">
        A step with <code>approval</code> waits for people; so does the first run of a pull request from a fork.
      </EmptyState>
    )
  }
  return (
    <>
      {run.hold !== null && <ForkApproval run={run} />}
      {ofForks.map((vote) => (
        <Section
          key={vote.decided_at}
          title="Pull request from a fork"
          actions={<StatusBadge status={vote.decision === 'approve' ? 'approved' : 'rejected'} />}
        >
          <ForeignText>{vote.by.name}</ForeignText> <Instant at={vote.decided_at} form="full" />
          {vote.comment !== null && (
            <p>
              <ForeignText>{vote.comment}</ForeignText>
            </p>
          )}
        </Section>
      ))}
      {run.approval_requests.map((request) => (
        <ApprovalCard key={request.step} request={request} />
      ))}
    </>
  )
}

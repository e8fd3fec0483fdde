import type { ReactNode } from 'react'
import { Facts, ForeignText, Instant, Section, StatusBadge, showInvisible } from '../../components/index.ts'
import type { ApprovalRequest } from './approval-request.ts'
import styles from './approvals.module.css'
import { DecideForm } from './decide-form.tsx'

type Decision = ApprovalRequest['decisions'][number]

/** A step that waits, or waited, for people: what is asked, the votes, and the form to vote with. */
export function ApprovalCard({ request }: { readonly request: ApprovalRequest }): ReactNode {
  const isWaiting = request.status === 'waiting'
  const counted = request.decisions.filter(({ decision, lapsed }) => decision === 'approve' && lapsed === null).length
  return (
    <Section title={showInvisible(request.step)} actions={<StatusBadge status={request.status} />}>
      {request.message !== null && (
        <p className={styles['message']}>
          <ForeignText>{request.message}</ForeignText>
        </p>
      )}
      <Facts
        facts={[
          ['Votes', `${counted} of ${request.required}`],
          ['Who may decide', <ForeignText key="approvers">{request.approvers.join(', ')}</ForeignText>],
          ['Own runs', request.allow_self ? 'who started it may decide, too' : 'who started it may not decide'],
          ['Commit', request.commit_sha !== null && <code>{request.commit_sha}</code>],
          ['Asked', <Instant key="asked" at={request.requested_at} form="full" />],
          ['Reminder', isWaiting && request.remind_at !== null && <Instant at={request.remind_at} form="full" />],
          ['Deadline', request.deadline_at !== null && <Instant at={request.deadline_at} form="full" />],
          ['Obstacle', request.obstacle !== null && <ForeignText>{request.obstacle}</ForeignText>],
        ].flatMap(([name, value]) => (value === false ? [] : [[String(name), value] as const]))}
      />
      <Votes decisions={request.decisions} />
      {isWaiting && <DecideForm request={request} permission="run.read" />}
    </Section>
  )
}

function Votes({ decisions }: { readonly decisions: readonly Decision[] }): ReactNode {
  if (decisions.length === 0) return null
  return (
    <ul className={styles['votes']} aria-label="Votes">
      {decisions.map((vote) => (
        <li key={`${vote.by.id} ${vote.decided_at}`}>
          <StatusBadge status={vote.decision === 'approve' ? 'approved' : 'rejected'} />{' '}
          <ForeignText>{vote.by.name}</ForeignText> <Instant at={vote.decided_at} />
          {vote.comment !== null && (
            <blockquote>
              <ForeignText>{vote.comment}</ForeignText>
            </blockquote>
          )}
          {vote.lapsed !== null && (
            <p>
              It does not count: <ForeignText>{vote.lapsed}</ForeignText>
            </p>
          )}
          <Facts
            facts={Object.entries(vote.fields).map(([name, value]) => [
              name,
              <ForeignText key={name}>{value}</ForeignText>,
            ])}
          />
        </li>
      ))}
    </ul>
  )
}

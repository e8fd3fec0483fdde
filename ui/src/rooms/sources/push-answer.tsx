import type { PartOf, SuccessOf } from '@signalbox/contracts/http/routes'
import { pushExplanationRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../client/index.ts'
import { Findings } from '../../components/findings.tsx'
import { Facts, ForeignText, Instant, PageLink, ProblemNotice, Section, StatusBadge } from '../../components/index.ts'

type Explanation = SuccessOf<typeof pushExplanationRoutes.explainPush>
type PushFinding = Explanation['findings'][number]

interface PushAnswerProps {
  readonly query: PartOf<typeof pushExplanationRoutes.explainPush, 'query'>
  /** The delivery whose page this is. */
  readonly here?: string
}

/** Why a change started nothing, or what it started. */
export function PushAnswer({ query, here }: PushAnswerProps): ReactNode {
  const answer = useQuery(read(pushExplanationRoutes.explainPush, { query }))
  if (!answer.data) return <ProblemNotice error={answer.error} onRetry={() => void answer.refetch()} />
  const { outcome, findings, what_to_do, changes, left_out } = answer.data
  const sources = new Map(
    changes.flatMap(({ delivery_id: delivery, source_id: source }) =>
      delivery === null || source === null ? [] : [[delivery, source] as const],
    ),
  )
  const common = { here, sources }
  return (
    <div aria-live="polite">
      <StatusBadge status={outcome} />
      <Findings label="Why" findings={findings} {...common} more={(finding) => <Told finding={finding} />} />
      {left_out.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {what_to_do.length > 0 && (
        <Section title="What to do">
          <Findings label="What to do" findings={what_to_do} {...common} />
        </Section>
      )}
      {here === undefined && changes.length > 0 && (
        <Section title="What it is about">
          <ul aria-label="What it is about">
            {changes.map((change) => (
              <li key={`${change.delivery_id} ${change.event_id}`}>
                <Change change={change} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

/** What the rule and the event say, apart from our sentence. */
function Told({ finding: { rule, expected, seen, told } }: { readonly finding: PushFinding }): ReactNode {
  return (
    <Facts
      facts={[
        ['Rule', rule && <ForeignText>{`${rule.team_path}: ${rule.name}`}</ForeignText>],
        ['Expected', expected && <ForeignText>{expected}</ForeignText>],
        ['Seen', seen && <ForeignText>{seen}</ForeignText>],
        ['On record', told && <ForeignText>{told}</ForeignText>],
      ]}
    />
  )
}

function Change({ change }: { readonly change: Explanation['changes'][number] }): ReactNode {
  const { delivery_id: delivery, event_id: event, source_id: source, kind, ref, commit_sha: commit } = change
  const name = kind ?? 'what came'
  return (
    <>
      <StatusBadge status={change.outcome} />{' '}
      {delivery !== null && source !== null ? (
        <PageLink underline="always" to="/sources/$id/deliveries/$delivery" params={{ id: source, delivery }}>
          {name}
        </PageLink>
      ) : event === null ? (
        name
      ) : (
        <PageLink underline="always" to="/events/$id" params={{ id: event }}>
          {name}
        </PageLink>
      )}{' '}
      {ref !== null && <ForeignText>{ref}</ForeignText>} {commit !== null && <code>{commit.slice(0, 12)}</code>}{' '}
      <Instant at={change.received_at} />{' '}
      {change.run_ids.map((id) => (
        <span key={id}>
          <PageLink underline="always" to="/runs/$id" params={{ id }}>
            its run
          </PageLink>{' '}
        </span>
      ))}
    </>
  )
}

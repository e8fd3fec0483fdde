import { Code } from '@mantine/core'
import { planRoutes } from '@signalbox/contracts/plans/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLive } from '../../client/index.ts'
import { useMayDo } from '../../client/session.ts'
import { Findings } from '../../components/findings.tsx'
import {
  CopyAs,
  Facts,
  ForeignText,
  Instant,
  PageHeader,
  PageLink,
  Section,
  StatusBadge,
  showInvisible,
  useNow,
} from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { Decide } from './decide.tsx'
import { AGAIN_MS, TOPICS } from './follow.ts'
import { Outcome } from './outcome.tsx'
import { actionWords, argumentsOf, isOpen, lookOfPlan, type Plan, standingOf } from './plan.ts'
import styles from './plans.module.css'

const page = getRouteApi('/shell/plans/$id')

/** A planned write: what it would do, with which arguments, what it counts on, and what became of it. */
export function PlanPage(): ReactNode {
  const plan = useQuery({
    ...page.useLoaderData(),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data, new Date()) ? AGAIN_MS : false),
  })
  useLive(TOPICS, [planRoutes.getPlan])
  if (plan.data === undefined) return <ObjectPending title="Plan" query={plan} />
  return <LoadedPlan plan={plan.data} />
}

function LoadedPlan({ plan }: { readonly plan: Plan }): ReactNode {
  const now = useNow(plan.status === 'waiting' || plan.status === 'waiting_for_person')
  const mayRead = useMayDo()('audit.read', undefined)
  return (
    <>
      <PageHeader
        title={`${actionWords(plan.action)}: ${plan.target}`}
        breadcrumb={[
          <PageLink key="list" to="/plans">
            Plans
          </PageLink>,
        ]}
        badge={<StatusBadge status={lookOfPlan(plan.status)} />}
        sentence={<span aria-live="polite">{standingOf(plan, now)}</span>}
        facts={[
          <span key="by">
            planned by <ForeignText>{plan.planned_by.name}</ForeignText>
            {plan.token_id === null ? ' on the page' : ' with a token'}
          </span>,
          <Instant key="at" at={plan.created_at} />,
        ]}
        actions={<CopyAs path={`/v1/plans/${plan.id}`} command={['plan', 'show', plan.id]} />}
      />
      <Section title="What it does">
        <Findings label="What it does" findings={plan.effects} />
      </Section>
      {plan.confirmation_reason !== null && <p>{plan.confirmation_reason}</p>}
      <Decide plan={plan} isOpen={isOpen(plan, now)} />
      <Decided plan={plan} />
      {plan.outcome && <Outcome outcome={plan.outcome} />}
      <Section title="Exactly">
        <Facts
          facts={[
            ['Action', <code key="action">{plan.action}</code>],
            ['Target', <ForeignText key="target">{plan.target}</ForeignText>],
            ['Token', plan.token_id && <code>{plan.token_id}</code>],
            ['Ends', <Instant key="ends" at={plan.expires_at} form="full" />],
            ...plan.preconditions.map(
              ({ name, value }) => [`Only while ${name} is`, <code key={name}>{value}</code>] as const,
            ),
            [
              'Audit',
              mayRead && (
                <PageLink to="/audit" search={{ resource: `plan:${plan.id}` }}>
                  Records of this plan
                </PageLink>
              ),
            ],
          ].map(([name, value]) => [String(name), value === false ? null : value])}
        />
        <Code block className={styles['arguments']} tabIndex={0} aria-label="Arguments">
          {showInvisible(argumentsOf(plan.arguments))}
        </Code>
      </Section>
    </>
  )
}

/** Who decided, and why. */
function Decided({ plan }: { readonly plan: Plan }): ReactNode {
  const { decided_by: by, decided_at: at, refusal, replaced_by: replacement, status } = plan
  if (by === null && replacement === null) return null
  return (
    <Section title="What was decided">
      {by !== null && (
        <p>
          {status === 'refused' ? 'Refused by ' : 'Approved by '}
          <ForeignText>{by.name}</ForeignText> <Instant at={at} />
        </p>
      )}
      {refusal !== null && (
        <blockquote>
          <ForeignText>{refusal}</ForeignText>
        </blockquote>
      )}
      {replacement !== null && (
        <PageLink to="/plans/$id" params={{ id: replacement }}>
          The fresh plan in its place
        </PageLink>
      )}
    </Section>
  )
}

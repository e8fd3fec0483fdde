import { Button } from '@mantine/core'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { read } from '../../../client/index.ts'
import { EmptyState, Facts, ForeignText, Markdown, ProblemNotice, Section } from '../../../components/index.ts'
import type { Run } from '../run.ts'
import { type PinnedRevision, pinnedRevisions } from './pinned-revisions.ts'
import styles from './results.module.css'

/** The policies and guardrails that held when the run, its steps and its tasks began, as they were then. */
export function Policies({ run }: { readonly run: Run }): ReactNode {
  const pinned = pinnedRevisions(run.pins)
  if (pinned.length === 0) {
    return (
      <EmptyState title="No policy held here">
        A policy or guardrail whose scope holds {run.scope} is judged and pinned when a run begins.
      </EmptyState>
    )
  }
  return pinned.map((each) => <Pinned key={each.id} revision={each} />)
}

function Pinned({ revision }: { readonly revision: PinnedRevision }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title={revision.item}
      actions={
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide its text' : 'Show its text'}
        </Button>
      }
    >
      <Facts
        facts={[
          ['Kind', revision.kind],
          ['Revision', revision.revision],
          ['Held for', revision.places.join(', ')],
        ]}
      />
      {isOpen && <RevisionText id={revision.id} />}
    </Section>
  )
}

function RevisionText({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useQuery({
    ...read(knowledgeRoutes.getKnowledgeRevision, { params: { id } }),
    staleTime: Infinity,
  })
  if (error) return <ProblemNotice error={error} onRetry={() => void refetch()} />
  if (!data) return null
  return (
    <div className={styles['revision']}>
      <Facts
        facts={[
          ['Rule', data.rule !== null && <code className={styles['value']}>{data.rule}</code>],
          ['Message', data.message !== null && <ForeignText>{data.message}</ForeignText>],
          ['Scope', data.scope],
        ]}
      />
      <Markdown text={data.text} />
    </div>
  )
}

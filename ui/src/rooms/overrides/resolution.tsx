import { Button, Select, Text } from '@mantine/core'
import { EVENT_KINDS } from '@signalbox/contracts/event/words'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { resolutionRoutes } from '@signalbox/contracts/overrides/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { read } from '../../client/index.ts'
import { BranchField } from '../../components/branch-field.tsx'
import {
  type Column,
  DataList,
  EmptyState,
  ForeignText,
  FormRow,
  PageLink,
  ProblemNotice,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import type { OverrideAddress } from './override-address.ts'

type Answer = SuccessOf<typeof resolutionRoutes.resolveRepository>
type Rule = Answer['runs'][number] & { readonly isOutranked: boolean }

const LAYER_WORDS = {
  override: 'The override decides.',
  repository_manifest: 'The manifest of the repository decides.',
  service_trigger: 'Triggers decide.',
} as const

const LAYERS = {
  override: 'override',
  repository_manifest: 'manifest',
  service_trigger: 'trigger',
} as const

interface ResolutionProps {
  readonly repository: { readonly repoOwner: string; readonly repoName: string }
  readonly asked: OverrideAddress
  readonly onAsk: (asked: OverrideAddress) => void
}

/** What an event of the repository would start now, by which layer, and which rules lose to it. */
export function Resolution({ repository, asked, onAsk }: ResolutionProps): ReactNode {
  const [ref, setRef] = useState(asked.ref ?? '')
  const [event, setEvent] = useState(asked.event ?? 'push')
  return (
    <Section title="What would an event start now?">
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault()
          onAsk({ ...(ref.trim() === '' ? {} : { ref: ref.trim() }), event })
        }}
      >
        <FormRow>
          <Select
            label="Event"
            allowDeselect={false}
            data={EVENT_KINDS.map((kind) => ({ value: kind, label: kind.replaceAll('_', ' ') }))}
            value={event}
            onChange={(chosen) => setEvent(EVENT_KINDS.find((kind) => kind === chosen) ?? 'push')}
          />
          <BranchField repository={`${repository.repoOwner}/${repository.repoName}`} value={ref} onChange={setRef} />
          <Button type="submit" variant="default" size="sm">
            Ask
          </Button>
        </FormRow>
      </form>
      <Outcome repository={repository} asked={asked} />
    </Section>
  )
}

function Outcome({ repository, asked }: Pick<ResolutionProps, 'repository' | 'asked'>): ReactNode {
  const answer = useQuery(read(resolutionRoutes.resolveRepository, { params: repository, query: asked }))
  const { data, error } = answer
  if (error) return <ProblemNotice error={error} onRetry={() => void answer.refetch()} />
  return (
    <>
      <Text size="sm" aria-live="polite" mb="sm">
        {data && (data.layer === null ? 'Nothing would start.' : LAYER_WORDS[data.layer])}
      </Text>
      {data?.manifest && <Manifest manifest={data.manifest} />}
      <DataList
        label="Rules of the repository"
        columns={COLUMNS}
        items={data && rulesOf(data)}
        keyOf={({ layer, trigger_id, name, pipeline, scope }) =>
          `${layer} ${trigger_id ?? ''} ${name} ${pipeline} ${scope}`
        }
        empty={
          <EmptyState title="No rule is for such an event">
            Neither an override nor the manifest nor a trigger that you may see starts a pipeline by it.
          </EmptyState>
        }
      />
    </>
  )
}

function Manifest({ manifest }: { readonly manifest: NonNullable<Answer['manifest']> }): ReactNode {
  const { state, path, reason, problems } = manifest
  return (
    <Text size="sm" component="div" mb="sm">
      <StatusBadge status={`manifest_${state}`} /> <ForeignText>{path}</ForeignText> <ForeignText>{reason}</ForeignText>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ line, column, message }) => (
            <li key={`${line} ${column} ${message}`}>
              Line {line}, column {column}: <ForeignText>{message}</ForeignText>
            </li>
          ))}
        </ul>
      )}
    </Text>
  )
}

function rulesOf({ runs, losers }: Answer): readonly Rule[] {
  return [
    ...runs.map((rule) => ({ ...rule, isOutranked: false })),
    ...losers.map((rule) => ({ ...rule, isOutranked: true })),
  ]
}

const COLUMNS: readonly Column<Rule>[] = [
  {
    key: 'outcome',
    header: 'Outcome',
    isPlain: true,
    cell: ({ isOutranked, would_start }) => (
      <StatusBadge status={isOutranked ? 'outranked' : would_start ? 'would_start' : 'would_not_start'} />
    ),
  },
  { key: 'layer', header: 'Layer', cell: ({ layer }) => LAYERS[layer] },
  {
    key: 'name',
    header: 'Rule',
    cell: ({ trigger_id, name }) =>
      trigger_id === null ? (
        <ForeignText>{name}</ForeignText>
      ) : (
        <PageLink to="/triggers/$id" params={{ id: trigger_id }}>
          <ForeignText>{name}</ForeignText>
        </PageLink>
      ),
  },
  { key: 'pipeline', header: 'Pipeline', cell: ({ pipeline }) => <ForeignText>{pipeline}</ForeignText> },
  { key: 'scope', header: 'Scope', cell: ({ scope }) => <ForeignText>{scope}</ForeignText> },
  { key: 'why', header: 'Why', cell: ({ reason }) => <ForeignText>{reason}</ForeignText> },
]

import { Autocomplete, Button, Text } from '@mantine/core'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { itemsOf, readAll } from '../../client/index.ts'
import {
  type Column,
  DataList,
  EmptyState,
  ForeignText,
  FormRow,
  RowLink,
  useTeamPaths,
} from '../../components/index.ts'
import { ScopeField } from '../../components/scope-field.tsx'
import type { KnowledgeSummary } from './item.ts'
import { inJudgedOrder, originOf } from './place.ts'
import type { KnowledgePlace } from './place-address.ts'

interface AskPlaceProps {
  /** Its environments are offered. */
  readonly team: string
  readonly place: KnowledgePlace
  readonly onAsk: (place: KnowledgePlace) => void
}

/** The question that the page answers: what holds there? */
export function AskPlace({ team, place, onAsk }: AskPlaceProps): ReactNode {
  const [scope, setScope] = useState(place.scope ?? '')
  const [of, setOf] = useState(place.of ?? '')
  const teams = useTeamPaths()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onAsk({ scope, ...(of === '' ? {} : { of }) })
      }}
    >
      <FormRow>
        <ScopeField teamPath={team} value={scope} error={undefined} onChange={setScope} isRequired />
        <Autocomplete
          label="Pipelines of"
          description="Empty: of the team of the scope."
          limit={50}
          data={[...teams]}
          value={of}
          onChange={setOf}
        />
        <Button type="submit" variant="default" size="sm">
          What holds there?
        </Button>
        {place.scope !== undefined && (
          <Button variant="subtle" size="sm" onClick={() => onAsk({})}>
            Show all
          </Button>
        )}
      </FormRow>
    </form>
  )
}

/** What holds in a scope, in the order in which it is judged. */
export function Holding({ scope, of }: { readonly scope: string; readonly of: string | undefined }): ReactNode {
  const query = { scope, ...(of === undefined ? {} : { pipeline_team: of }), limit: 500 }
  const items = useQuery({ ...readAll(knowledgeRoutes.listKnowledgeItems, { query }), retry: false })
  const holding = items.data && inJudgedOrder(itemsOf(items.data))
  const blocking = holding?.filter(({ kind }) => kind !== 'reference').length
  return (
    <>
      <Text my="sm" aria-live="polite">
        {blocking !== undefined &&
          `${blocking} of these ${holding?.length} that you may see can stop a run in ${scope}. They are judged from above; none overrules another.`}
      </Text>
      <DataList
        label={`What holds in ${scope}`}
        columns={columnsOf(scope)}
        items={holding}
        keyOf={({ id }) => id}
        error={items.error}
        onRetry={() => void items.refetch()}
        empty={
          <EmptyState title="Nothing that you may see holds there">
            No pattern of an item that you may see matches {scope}.
          </EmptyState>
        }
      />
    </>
  )
}

function columnsOf(scope: string): readonly Column<KnowledgeSummary>[] {
  return [
    { key: 'kind', header: 'Kind', isPlain: true, cell: ({ kind }) => kind },
    {
      key: 'name',
      header: 'Name',
      isPlain: true,
      cell: ({ id, identifier }) => (
        <RowLink to="/knowledge/$id" params={{ id }}>
          {identifier}
        </RowLink>
      ),
    },
    { key: 'from', header: 'Comes from', cell: (item) => originOf(item, scope) },
    { key: 'scope', header: 'By its pattern', cell: ({ scope: pattern }) => pattern },
    {
      key: 'at',
      header: 'Judged at',
      cell: ({ at, kind }) => (kind === 'reference' ? '' : at === null ? 'wherever its names are known' : `each ${at}`),
    },
    {
      key: 'rule',
      header: 'Rule',
      cell: ({ rule }) => (
        <code>
          <ForeignText>{rule}</ForeignText>
        </code>
      ),
    },
  ]
}

import { Select, Text, TextInput } from '@mantine/core'
import { deliveryRoutes, sourceRoutes } from '@signalbox/contracts/sources/routes'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, readAll, useLive } from '../../client/index.ts'
import {
  AllowedButton,
  CopyAs,
  countOf,
  DataList,
  EmptyState,
  FormRow,
  PageButton,
  PageHeader,
  Section,
  showInvisible,
} from '../../components/index.ts'
import { placeOf, teamOrAny, teamPathQuery } from '../../shell/index.ts'
import { deliveryColumns } from './delivery-columns.tsx'
import { copyOfDeliveries, type DeliveryFilters, RESULTS, readDeliveryFilters } from './delivery-filters.ts'
import { followedSources } from './followed-sources.ts'
import { PasteValues } from './paste-values.tsx'
import { ReplayMany } from './replay-many.tsx'
import type { Source } from './source.ts'

const page = getRouteApi('/shell/t/$team/deliveries')

/** What the providers sent, of every source that one may see, with what became of it. */
export function DeliveriesPage(): ReactNode {
  const { team } = page.useParams()
  const filters = page.useSearch()
  const navigate = page.useNavigate()
  const sources = itemsOf(
    useQuery(readAll(sourceRoutes.listSources, { query: { limit: 500, ...teamPathQuery(team) } })).data,
  )
  const deliveries = useInfiniteQuery(page.useLoaderData())
  const followed = followedSources(
    sources.map(({ id }) => id),
    filters.source,
  )
  useLive(
    followed.ids.map((id) => `deliveries:${id}`),
    [deliveryRoutes.listAllDeliveries],
  )
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const items = deliveries.data && itemsOf(deliveries.data)
  const replayed = items?.filter(({ id }) => chosen.has(id)) ?? []
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title="Deliveries"
        sentence="Everything that a provider sent, and why it started what it started. Nothing is lost, refused ones included."
        actions={<CopyAs {...copyOfDeliveries(teamOrAny(team), filters)} />}
      />
      <Filters
        filters={filters}
        sources={sources}
        onChange={(changed) => void navigate({ search: readDeliveryFilters({ ...filters, ...changed }) })}
      />
      {followed.others > 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          What comes to {countOf(followed.ids.length, 'source')} appears by itself, what comes to{' '}
          {countOf(followed.others, 'other source')} when the page is read again. Choose a source to follow it.
        </Text>
      )}
      <ReplayMany deliveries={replayed} at={teamOrAny(team)} onDone={() => setChosen(new Set())} />
      <DataList
        label="Deliveries"
        columns={deliveryColumns(sources)}
        items={items}
        keyOf={({ id }) => id}
        {...moreOf(deliveries)}
        selection={{
          chosen,
          onChange: setChosen,
          nameOf: ({ event_type, repository }) => `${event_type} of ${repository ?? 'no repository'}`,
        }}
        empty={
          isFiltered ? (
            <EmptyState title="No delivery fits">Take a filter away, or begin earlier.</EmptyState>
          ) : (
            <EmptyState
              title="No delivery yet"
              action={
                sources.length === 0 ? (
                  <AllowedButton
                    permission="webhook_source.write"
                    at={placeOf(team)}
                    onClick={() => void navigate({ to: '/t/$team/sources/new', params: { team } })}
                  >
                    Create a source
                  </AllowedButton>
                ) : (
                  <PageButton to="/t/$team/sources" params={{ team }}>
                    See the values to paste at the provider
                  </PageButton>
                )
              }
            >
              {sources.length === 0
                ? 'A source is the address to which a provider sends. There is none yet.'
                : 'The sources wait for their first delivery. It appears here by itself.'}
              <ToPaste sources={sources} />
            </EmptyState>
          )
        }
      />
    </>
  )
}

/** So many sources stand in an empty list with what a person enters at the provider; the others have pages. */
const PASTED = 3

function ToPaste({ sources }: { readonly sources: readonly Source[] }): ReactNode {
  return sources.slice(0, PASTED).map((source) => (
    <Section key={source.id} title={showInvisible(source.name)}>
      <PasteValues source={source} />
    </Section>
  ))
}

interface FiltersProps {
  readonly filters: DeliveryFilters
  readonly sources: readonly Source[]
  readonly onChange: (changed: Readonly<Record<string, string | undefined>>) => void
}

function Filters({ filters, sources, onChange }: FiltersProps): ReactNode {
  return (
    <FormRow>
      <Select
        label="Source"
        clearable
        searchable
        data={sources.map(({ id, name }) => ({ value: id, label: showInvisible(name) }))}
        value={filters.source ?? null}
        onChange={(source) => onChange({ source: source ?? undefined })}
      />
      <Select
        label="Result"
        clearable
        data={[...RESULTS]}
        value={filters.result ?? null}
        onChange={(result) => onChange({ result: result ?? undefined })}
      />
      <TextInput
        label="Repository"
        placeholder="owner/repository"
        key={filters.repository ?? ''}
        defaultValue={filters.repository ?? ''}
        onBlur={({ currentTarget }) => onChange({ repository: currentTarget.value.trim() })}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') onChange({ repository: currentTarget.value.trim() })
        }}
      />
    </FormRow>
  )
}

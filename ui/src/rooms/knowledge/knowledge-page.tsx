import { SegmentedControl, TextInput } from '@mantine/core'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, useLive, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  FormDialog,
  fieldError,
  Instant,
  PageHeader,
  RowLink,
} from '../../components/index.ts'
import { type ListPart, listCopy } from '../../components/list-copy.ts'
import { placeOf, teamOrAny } from '../../shell/index.ts'
import { AskPlace, Holding } from './holding.tsx'
import { contentOf, KINDS, type KnowledgeDraft, type KnowledgeKind, type KnowledgeSummary } from './item.ts'
import { ITEM_FIELDS, ItemFields } from './item-fields.tsx'
import { PastRuns } from './past-runs.tsx'
import type { KnowledgePlace } from './place-address.ts'
import { runsOfTeam } from './trial.ts'

const page = getRouteApi('/shell/t/$team/knowledge')
/** What a change makes old. */
const LISTED = [knowledgeRoutes.listKnowledgeItems]

/** What blocks here, and what people should know. */
export function KnowledgePage(): ReactNode {
  const { team } = page.useParams()
  const place = page.useSearch()
  const navigate = page.useNavigate()
  const [isCreating, setCreating] = useState(false)
  const items = useInfiniteQuery(page.useLoaderData())
  useLive(['knowledge'], LISTED)
  const create = (
    <AllowedButton permission="knowledge.write" at={teamOrAny(team)} onClick={() => setCreating(true)}>
      Create an item
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Knowledge"
        sentence="Policies and guardrails stop what breaks their rule; references only inform. Runs pin what held."
        actions={
          <>
            {create}
            <CopyAs {...listCopy('/v1/knowledge', ['knowledge', 'list'], copied(team, place))} />
          </>
        }
      />
      <AskPlace
        key={`${place.scope} ${place.of}`}
        team={teamOrAny(team) ?? ''}
        place={place}
        onAsk={(search) => void navigate({ search })}
      />
      {place.scope === undefined ? (
        <DataList
          label="Knowledge"
          columns={COLUMNS}
          items={items.data && itemsOf(items.data)}
          keyOf={({ id }) => id}
          {...moreOf(items)}
          empty={
            <EmptyState title="Nothing is written down yet" action={create}>
              A rule such as task.image.startsWith("registry.example.com/") holds for every run of its scope.
            </EmptyState>
          }
        />
      ) : (
        <Holding scope={place.scope} of={place.of} />
      )}
      {isCreating && <CreateItem place={placeOf(team)} onClose={() => setCreating(false)} />}
    </>
  )
}

function copied(team: string, { scope, of }: KnowledgePlace): readonly ListPart[] {
  if (scope === undefined) return [['team_path', '--team', teamOrAny(team)]]
  return [
    ['scope', '--scope', scope],
    ['pipeline_team', '--pipeline-team', of],
  ]
}

const COLUMNS: readonly Column<KnowledgeSummary>[] = [
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
  { key: 'scope', header: 'Holds for', cell: ({ scope }) => scope },
  {
    key: 'rule',
    header: 'Rule',
    cell: ({ rule }) => (
      <code>
        <ForeignText>{rule}</ForeignText>
      </code>
    ),
  },
  { key: 'revision', header: 'Revision', isNumber: true, cell: ({ revision }) => revision },
  { key: 'by', header: 'Saved by', cell: ({ saved_by }) => <ForeignText>{saved_by}</ForeignText> },
  { key: 'updated', header: 'Saved', cell: ({ updated_at }) => <Instant at={updated_at} /> },
]

const EMPTY: KnowledgeDraft = { scope: '', rule: '', message: '', text: '', timeZone: 'UTC' }

function CreateItem({ place, onClose }: { readonly place: string; readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate()
  const [kind, setKind] = useState<KnowledgeKind>('guardrail')
  const [teamPath, setTeamPath] = useState(place)
  const [name, setName] = useState('')
  const [draft, setDraft] = useState({ ...EMPTY, scope: place === '/' ? '**' : `${place}/**` })
  const create = useWrite(knowledgeRoutes.createKnowledgeItem, {
    changes: [knowledgeRoutes.listKnowledgeItems],
    onDone: ({ id }) => void navigate({ to: '/knowledge/$id', params: { id } }),
  })
  const body = { kind, team_path: teamPath, name, ...contentOf(draft) }
  const isJudged = kind !== 'reference' && body.rule !== null
  return (
    <FormDialog
      title="Create an item"
      isOpen
      onClose={onClose}
      onSubmit={() => create.mutate({ body })}
      action="Save"
      isSending={create.isPending}
      error={create.error}
      marked={['team_path', 'name', ...ITEM_FIELDS]}
      below={isJudged && <PastRuns subject={{ draft: body }} asked={runsOfTeam(teamPath)} />}
    >
      <SegmentedControl
        aria-label="Kind"
        size="xs"
        data={[...KINDS]}
        value={kind}
        onChange={(chosen) => setKind(KINDS.find((each) => each === chosen) ?? 'guardrail')}
      />
      <TextInput
        label="Team"
        description="/ is the platform."
        required
        value={teamPath}
        error={fieldError(create.error, 'team_path')}
        onChange={({ currentTarget }) => setTeamPath(currentTarget.value)}
      />
      <TextInput
        label="Name"
        required
        placeholder="pinned-images"
        value={name}
        error={fieldError(create.error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ItemFields draft={draft} onChange={setDraft} error={create.error} />
    </FormDialog>
  )
}

import { Text, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  FormDialog,
  Instant,
  PageHeader,
  RowLink,
  StatusBadge,
  Why,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { readRepositoryName } from '../../components/repository-name.ts'
import { placeOf, teamOrAny } from '../../shell/index.ts'
import { type Override, stateOf } from './override.ts'

const page = getRouteApi('/shell/t/$team/overrides')

/** The repositories whose events start one pipeline, whatever their manifest and the triggers say. */
export function OverridesPage(): ReactNode {
  const { team } = page.useParams()
  const [isChoosing, setChoosing] = useState(false)
  const overrides = useInfiniteQuery(page.useLoaderData())
  const create = (
    <AllowedButton permission="override.write" at={placeOf(team)} onClick={() => setChoosing(true)}>
      Override a repository
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Overrides"
        sentence="The events of an overridden repository start one pipeline, whatever its manifest and the triggers say."
        actions={
          <>
            {create}
            <CopyAs {...listCopy('/v1/overrides', ['override', 'list'], [['team_path', '--team', teamOrAny(team)]])} />
          </>
        }
      />
      <DataList
        label="Overrides"
        columns={COLUMNS}
        items={overrides.data && itemsOf(overrides.data)}
        keyOf={({ repo_owner, repo_name, pipeline }) => `${repo_owner}/${repo_name} ${pipeline}`}
        {...moreOf(overrides)}
        empty={
          <EmptyState
            title="No override"
            action={create}
            command="signalbox override set acme/shop --pipeline acme/web/build --reason 'release freeze'"
          >
            Each repository starts what its manifest and the triggers say. Override one to freeze it, or to try another
            pipeline.
          </EmptyState>
        }
      />
      {isChoosing && <ChooseRepository onClose={() => setChoosing(false)} />}
    </>
  )
}

/** The page of an override is that of its repository, also before there is one. */
function ChooseRepository({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = page.useNavigate()
  const [fullName, setFullName] = useState('')
  const repository = readRepositoryName(fullName)
  return (
    <FormDialog
      title="Override a repository"
      isOpen
      onClose={onClose}
      onSubmit={() => {
        if (repository) void navigate({ to: '/overrides/$owner/$name', params: repository })
      }}
      action="Go on"
      isSending={false}
      error={null}
      obstacle={repository ? undefined : 'Write owner/name.'}
    >
      <Text size="sm">Nothing is changed yet: the next page shows what starts there now.</Text>
      <TextInput
        label="Repository"
        required
        placeholder="acme/shop"
        value={fullName}
        onChange={({ currentTarget }) => setFullName(currentTarget.value)}
      />
    </FormDialog>
  )
}

const COLUMNS: readonly Column<Override>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: (override) => (
      <>
        <StatusBadge status={stateOf(override)} />
        <Why of={`the override of ${override.repo_owner}/${override.repo_name} is not in effect`}>
          {override.not_in_effect_because}
        </Why>
      </>
    ),
  },
  {
    key: 'repository',
    header: 'Repository',
    isPlain: true,
    cell: ({ repo_owner, repo_name }) => (
      <RowLink to="/overrides/$owner/$name" params={{ owner: repo_owner, name: repo_name }}>
        <ForeignText>{`${repo_owner}/${repo_name}`}</ForeignText>
      </RowLink>
    ),
  },
  { key: 'pipeline', header: 'Starts', cell: ({ pipeline }) => pipeline },
  { key: 'scope', header: 'Scope', cell: ({ scope }) => scope },
  {
    key: 'expires',
    header: 'Expires',
    cell: ({ expires_at }) => (expires_at === null ? 'never' : <Instant at={expires_at} />),
  },
  { key: 'owner', header: 'On behalf of', cell: ({ owner }) => <ForeignText>{owner.name}</ForeignText> },
  { key: 'reason', header: 'Reason', cell: ({ reason }) => <ForeignText>{reason}</ForeignText> },
]

import { Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Column, CopyAs, DataList, EmptyState, ForeignText, PageHeader } from '../../components/index.ts'
import { filterSettings, ORIGINS, type Setting } from './settings.ts'

const page = getRouteApi('/shell/system/settings')

/** The configuration that the process read when it started; it is changed where the process is started. */
export function SettingsPage(): ReactNode {
  const { q = '', given } = page.useSearch()
  const navigate = page.useNavigate()
  const settings = useQuery(page.useLoaderData())
  return (
    <>
      <PageHeader
        title="Settings"
        sentence="The configuration in force. Change it in signalbox.yaml or the environment, then start the process again."
        actions={<CopyAs path="/v1/system/settings" command={['settings']} />}
      />
      <Group gap="sm" align="end" mb="md">
        <TextInput
          label="Filter"
          type="search"
          placeholder="log"
          value={q}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: (before) => ({ ...before, q: value === '' ? undefined : value }), replace: true })
          }
        />
        <SegmentedControl
          aria-label="Which"
          size="xs"
          data={[
            { value: 'all', label: 'All' },
            { value: 'given', label: 'Given here' },
          ]}
          value={given ? 'given' : 'all'}
          onChange={(which) =>
            void navigate({ search: (before) => ({ ...before, given: which === 'given' || undefined }), replace: true })
          }
        />
      </Group>
      <DataList
        label="Settings"
        columns={COLUMNS}
        items={settings.data && filterSettings(settings.data, q, given === true)}
        keyOf={({ name }) => name}
        error={settings.error}
        onRetry={() => void settings.refetch()}
        empty={
          <EmptyState title="No setting is called so" command="signalbox config">
            Every setting has a default. The command lists those of a server that is started on this machine.
          </EmptyState>
        }
      />
    </>
  )
}

const COLUMNS: readonly Column<Setting>[] = [
  { key: 'name', header: 'Setting', isPlain: true, isShort: true, cell: ({ name }) => <code>{name}</code> },
  {
    key: 'value',
    header: 'Value',
    cell: ({ value }) => (value === null ? '–' : <ForeignText>{value}</ForeignText>),
  },
  { key: 'origin', header: 'From', isShort: true, cell: ({ origin }) => ORIGINS[origin] },
  {
    key: 'text',
    header: 'What it is for',
    cell: ({ text }) => (
      <Text inherit maw="var(--sb-form)">
        {text}
      </Text>
    ),
  },
]

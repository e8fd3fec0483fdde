import { TextInput } from '@mantine/core'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
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
  GrowingText,
  Instant,
  PageHeader,
  StatusBadge,
} from '../../components/index.ts'
import type { Emergency } from './item.ts'

const page = getRouteApi('/shell/emergencies')

const CHANGES = [knowledgeRoutes.listEmergencies]

/** What stops everything of a scope at once, and who lifted it. */
export function EmergenciesPage(): ReactNode {
  const navigate = page.useNavigate()
  const { declare: isDeclaring } = page.useSearch()
  const setDeclaring = (wanted: boolean): void =>
    void navigate({ search: wanted ? { declare: wanted } : {}, replace: true })
  const emergencies = useInfiniteQuery(page.useLoaderData())
  useLive(['emergencies'], CHANGES)
  const declare = (
    <AllowedButton permission="emergency.declare" at={undefined} color="danger" onClick={() => setDeclaring(true)}>
      Declare an emergency
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Emergencies"
        sentence="An emergency stops the runs of its scope and keeps new ones waiting until somebody lifts it."
        actions={
          <>
            {declare}
            <CopyAs path="/v1/emergencies" command={['emergency', 'list']} />
          </>
        }
      />
      <DataList
        label="Emergencies"
        columns={COLUMNS}
        items={emergencies.data && itemsOf(emergencies.data)}
        keyOf={({ id }) => id}
        {...moreOf(emergencies)}
        empty={<EmptyState title="There was none">May it stay so.</EmptyState>}
      />
      {isDeclaring && <Declare onClose={() => setDeclaring(false)} />}
    </>
  )
}

const COLUMNS: readonly Column<Emergency>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: ({ active }) => <StatusBadge status={active ? 'emergency_active' : 'emergency_lifted'} />,
  },
  { key: 'scope', header: 'Scope', isPlain: true, cell: ({ scope }) => scope },
  { key: 'reason', header: 'Reason', isPlain: true, cell: ({ reason }) => <ForeignText>{reason}</ForeignText> },
  { key: 'by', header: 'Declared by', cell: ({ declared_by }) => <ForeignText>{declared_by.name}</ForeignText> },
  { key: 'at', header: 'Declared', cell: ({ declared_at }) => <Instant at={declared_at} /> },
  { key: 'lifted', header: 'Lifted', cell: ({ lifted_at }) => <Instant at={lifted_at} /> },
  {
    key: 'actions',
    header: 'Actions',
    isPlain: true,
    cell: (emergency) => emergency.active && <Lift emergency={emergency} />,
  },
]

function Lift({ emergency }: { readonly emergency: Emergency }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const lift = useWrite(knowledgeRoutes.liftEmergency, { changes: CHANGES, onDone: () => setAsking(false) })
  return (
    <>
      <AllowedButton
        permission="emergency.declare"
        at={emergency.team_path}
        variant="default"
        onClick={() => setAsking(true)}
      >
        Lift
      </AllowedButton>
      <FormDialog
        title={`Lift the emergency of ${emergency.scope}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onSubmit={() => lift.mutate({ params: { id: emergency.id }, body: reason === '' ? {} : { reason } })}
        action="Lift"
        isSending={lift.isPending}
        error={lift.error}
        marked={['reason']}
      >
        <GrowingText
          label="Why"
          description="For later readers. Waiting runs begin at once."
          value={reason}
          error={fieldError(lift.error, 'reason')}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </FormDialog>
    </>
  )
}

function Declare({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [scope, setScope] = useState('')
  const [reason, setReason] = useState('')
  const declare = useWrite(knowledgeRoutes.declareEmergency, { changes: CHANGES, onDone: onClose })
  return (
    <FormDialog
      title="Declare an emergency"
      isOpen
      onClose={onClose}
      onSubmit={() => declare.mutate({ body: { scope, reason } })}
      action="Stop everything there"
      isDangerous
      isSending={declare.isPending}
      error={declare.error}
      marked={['scope', 'reason']}
    >
      <TextInput
        label="Scope"
        description="A pattern, such as acme/** or acme/*/production."
        required
        value={scope}
        error={fieldError(declare.error, 'scope')}
        onChange={({ currentTarget }) => setScope(currentTarget.value)}
      />
      <GrowingText
        label="Why"
        description="The people whose runs are stopped read it."
        required
        value={reason}
        error={fieldError(declare.error, 'reason')}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </FormDialog>
  )
}

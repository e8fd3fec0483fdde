import { Progress, TextInput } from '@mantine/core'
import { artifactRoutes } from '@signalbox/contracts/artifacts/routes'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { read, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  CopyAs,
  EmptyState,
  FormDialog,
  fieldError,
  formatBytes,
  PageHeader,
  ProblemNotice,
  Section,
} from '../../components/index.ts'
import { EVERY_TEAM } from '../../shell/index.ts'

const page = getRouteApi('/shell/t/$team/storage')

type Storage = SuccessOf<typeof artifactRoutes.getStorage>

/** How much a team keeps of artifacts and caches, and how much it may. */
export function StoragePage(): ReactNode {
  const { team } = page.useParams()
  if (team === EVERY_TEAM) {
    return (
      <>
        <PageHeader title="Storage" />
        <EmptyState title="Choose a team">Each team has a quota of its own.</EmptyState>
      </>
    )
  }
  return <TeamStorage key={team} team={team} />
}

function TeamStorage({ team }: { readonly team: string }): ReactNode {
  const [isEditing, setEditing] = useState(false)
  const storage = useQuery(read(artifactRoutes.getStorage, { query: { team_path: team } }))
  return (
    <>
      <PageHeader
        title="Storage"
        sentence={`What the runs of ${team} leave. Artifacts end by their retention; caches make room for newer ones.`}
        actions={
          <>
            <AllowedButton permission="storage.write" at={team} onClick={() => setEditing(true)}>
              Set the quotas
            </AllowedButton>
            <CopyAs path={`/v1/storage?team_path=${team}`} command={['storage', 'show', team]} />
          </>
        }
      />
      <ProblemNotice error={storage.error} onRetry={() => void storage.refetch()} />
      {storage.data && (
        <>
          <Use title="Artifacts" used={storage.data.artifact_bytes} quota={storage.data.artifact_quota_bytes} />
          <Use title="Caches" used={storage.data.cache_bytes} quota={storage.data.cache_quota_bytes} />
          {isEditing && <QuotaForm storage={storage.data} onClose={() => setEditing(false)} />}
        </>
      )}
    </>
  )
}

interface UseProps {
  readonly title: string
  readonly used: number
  readonly quota: number
}

function Use({ title, used, quota }: UseProps): ReactNode {
  const share = quota === 0 ? 100 : Math.min(100, (used / quota) * 100)
  return (
    <Section title={title}>
      <Progress
        value={Math.round(share)}
        color={share > 90 ? 'danger' : 'note'}
        aria-label={`${title}: ${Math.round(share)} %`}
      />
      <p>
        {formatBytes(used)} of {formatBytes(quota)}
      </p>
    </Section>
  )
}

const GIBIBYTE = 1024 ** 3

function QuotaForm({ storage, onClose }: { readonly storage: Storage; readonly onClose: () => void }): ReactNode {
  const [artifacts, setArtifacts] = useState(String(storage.artifact_quota_bytes / GIBIBYTE))
  const [caches, setCaches] = useState(String(storage.cache_quota_bytes / GIBIBYTE))
  const set = useWrite(artifactRoutes.setStorage, { changes: [artifactRoutes.getStorage], onDone: onClose })
  return (
    <FormDialog
      title={`Quotas of ${storage.team_path}`}
      isOpen
      onClose={onClose}
      onSubmit={() =>
        set.mutate({
          body: {
            team_path: storage.team_path,
            artifact_quota_bytes: bytesOf(artifacts),
            cache_quota_bytes: bytesOf(caches),
          },
        })
      }
      action="Set"
      isSending={set.isPending}
      error={set.error}
      marked={['artifact_quota_bytes', 'cache_quota_bytes']}
    >
      <TextInput
        label="Artifacts, in GiB"
        description="Empty: as the installation says."
        inputMode="decimal"
        value={artifacts}
        error={fieldError(set.error, 'artifact_quota_bytes')}
        onChange={({ currentTarget }) => setArtifacts(currentTarget.value)}
      />
      <TextInput
        label="Caches, in GiB"
        description="Empty: as the installation says."
        inputMode="decimal"
        value={caches}
        error={fieldError(set.error, 'cache_quota_bytes')}
        onChange={({ currentTarget }) => setCaches(currentTarget.value)}
      />
    </FormDialog>
  )
}

function bytesOf(gibibytes: string): number | null {
  return gibibytes.trim() === '' ? null : Math.round(Number(gibibytes) * GIBIBYTE)
}

import { Button, Group } from '@mantine/core'
import { artifactRoutes } from '@signalbox/contracts/artifacts/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { addressOf, read, useLive, useWrite } from '../../../client/index.ts'
import {
  AllowedButton,
  type Column,
  DataList,
  EmptyState,
  ForeignText,
  FormDialog,
  formatBytes,
  Instant,
} from '../../../components/index.ts'
import type { Run } from '../run.ts'
import { useRunAddress } from '../use-run-address.ts'
import { ArtifactFiles } from './artifact-files.tsx'

type Artifact = ItemOf<typeof artifactRoutes.listRunArtifacts>

/** What the tasks of the run left: to download, and to delete. */
export function Artifacts({ run }: { readonly run: Run }): ReactNode {
  const artifacts = useQuery(read(artifactRoutes.listRunArtifacts, { params: { id: run.run_id } }))
  const [leaving, setLeaving] = useState<Artifact>()
  const { address, show } = useRunAddress()
  const opened = artifacts.data?.find(({ id }) => id === address.artifact)
  useLive([`run:${run.run_id}`], [artifactRoutes.listRunArtifacts])
  return (
    <>
      <DataList
        label="Artifacts"
        items={artifacts.data}
        error={artifacts.error}
        onRetry={() => void artifacts.refetch()}
        keyOf={({ id }) => id}
        columns={[...COLUMNS, actionsColumn(run, { onDelete: setLeaving, onOpen: ({ id }) => show({ artifact: id }) })]}
        empty={
          <EmptyState title="No artifacts">
            A task leaves files by a line such as <code>{'artifacts: { paths: [dist] }'}</code>.
          </EmptyState>
        }
      />
      {opened && <ArtifactFiles key={opened.id} artifact={opened} onClose={() => show({ artifact: undefined })} />}
      {leaving && <DeleteArtifact artifact={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}

const COLUMNS: readonly Column<Artifact>[] = [
  { key: 'name', header: 'Name', isPlain: true, cell: ({ name }) => <ForeignText>{name}</ForeignText> },
  { key: 'task', header: 'Task', cell: ({ step, task }) => <ForeignText>{`${step}/${task}`}</ForeignText> },
  { key: 'files', header: 'Files', isNumber: true, cell: ({ files }) => files },
  { key: 'size', header: 'Size', isNumber: true, cell: ({ size }) => formatBytes(size) },
  { key: 'expires', header: 'Expires', cell: ({ expires_at }) => <Instant at={expires_at} /> },
]

interface Actions {
  readonly onOpen: (artifact: Artifact) => void
  readonly onDelete: (artifact: Artifact) => void
}

function actionsColumn(run: Run, { onOpen, onDelete }: Actions): Column<Artifact> {
  return {
    key: 'actions',
    header: 'Actions',
    isPlain: true,
    cell: (artifact) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Button variant="default" aria-label={`Files of ${artifact.name}`} onClick={() => onOpen(artifact)}>
          Files
        </Button>
        <Button
          component="a"
          variant="default"
          href={addressOf(artifactRoutes.downloadArtifact, { params: { id: artifact.id } })}
          download
          aria-label={`Download ${artifact.name}`}
        >
          Download
        </Button>
        <AllowedButton
          permission="artifact.delete"
          at={run.team_path}
          variant="subtle"
          color="danger"
          aria-label={`Delete ${artifact.name}`}
          onClick={() => onDelete(artifact)}
        >
          Delete
        </AllowedButton>
      </Group>
    ),
  }
}

function DeleteArtifact({
  artifact,
  onClose,
}: {
  readonly artifact: Artifact
  readonly onClose: () => void
}): ReactNode {
  const remove = useWrite(artifactRoutes.deleteArtifact, {
    changes: [artifactRoutes.listRunArtifacts],
    onDone: onClose,
  })
  return (
    <FormDialog
      title={`Delete ${artifact.name}?`}
      isOpen
      onClose={onClose}
      onSubmit={() => remove.mutate({ params: { id: artifact.id } })}
      action="Delete"
      isSending={remove.isPending}
      error={remove.error}
      isDangerous
    >
      <p>
        Its {artifact.files} files ({formatBytes(artifact.size)}) are deleted for good. Tasks that still need them fail.
      </p>
    </FormDialog>
  )
}

import { Anchor, Button } from '@mantine/core'
import { artifactRoutes } from '@signalbox/contracts/artifacts/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { addressOf, call } from '../../../client/index.ts'
import { type Column, DataList, EmptyState, ForeignText, formatBytes, Section } from '../../../components/index.ts'
import styles from './artifacts.module.css'

type Artifact = ItemOf<typeof artifactRoutes.listRunArtifacts>
type Files = Awaited<ReturnType<typeof readFiles>>
type File = Files['files'][number]

const PAGE = 200

function readFiles(id: string, after: number) {
  return call(artifactRoutes.listArtifactFiles, { params: { id }, query: { after, limit: PAGE } })
}

interface ArtifactFilesProps {
  readonly artifact: Artifact
  readonly onClose: () => void
}

/** The files of an artifact, each to look at and to download, straight from the archive. */
export function ArtifactFiles({ artifact, onClose }: ArtifactFilesProps): ReactNode {
  const files = useInfiniteQuery({
    queryKey: ['artifact files', artifactRoutes.listArtifactFiles.path, artifact.id],
    queryFn: ({ pageParam }) => readFiles(artifact.id, pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Infinity,
  })
  const unread = files.data?.pages.at(-1)?.unread ?? null
  return (
    <div className={styles['files']}>
      <Section
        title={`Files of ${artifact.name}`}
        actions={
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        }
      >
        <DataList
          label={`Files of ${artifact.name}`}
          items={files.data?.pages.flatMap((page) => page.files)}
          error={files.error}
          onRetry={() => void files.refetch()}
          keyOf={({ path }) => path}
          columns={columnsOf(artifact.id)}
          hasMore={files.hasNextPage}
          isReadingMore={files.isFetchingNextPage}
          onMore={() => void files.fetchNextPage()}
          empty={<EmptyState title="No files">The archive is empty.</EmptyState>}
        />
        {unread !== null && (
          <p role="alert">
            <ForeignText>{unread}</ForeignText>
          </p>
        )}
      </Section>
    </div>
  )
}

function columnsOf(id: string): readonly Column<File>[] {
  return [
    { key: 'path', header: 'Path', isPlain: true, cell: (file) => <Path id={id} file={file} /> },
    { key: 'mode', header: 'Mode', cell: ({ mode }) => <code>{mode}</code> },
    {
      key: 'size',
      header: 'Size',
      isNumber: true,
      cell: ({ kind, size }) => (isFile(kind) ? formatBytes(size) : kind),
    },
    {
      key: 'download',
      header: 'Download',
      isPlain: true,
      cell: ({ kind, path }) =>
        isFile(kind) && (
          <Anchor href={addressOf(artifactRoutes.getArtifactFile, { params: { id }, query: { path } })} download>
            Download
          </Anchor>
        ),
    },
  ]
}

/** A text or an image opens in a tab of its own, in which nothing of it can run. */
function Path({ id, file: { path, kind, target } }: { readonly id: string; readonly file: File }): ReactNode {
  if (!isFile(kind)) {
    return <ForeignText>{target === null ? path : `${path} → ${target}`}</ForeignText>
  }
  return (
    <Anchor
      href={addressOf(artifactRoutes.getArtifactFile, { params: { id }, query: { path, inline: true } })}
      target="_blank"
      rel="noopener noreferrer"
    >
      <ForeignText>{path}</ForeignText>
    </Anchor>
  )
}

function isFile(kind: File['kind']): boolean {
  return kind === 'file'
}

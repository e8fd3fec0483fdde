import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { isConflict, useWrite } from '../../../client/index.ts'
import { AllowedButton, PageButton, PageHeader, PageLink, ProblemNotice } from '../../../components/index.ts'
import { ObjectPending } from '../../../components/object-pending.tsx'
import { useDraft } from '../drafts/use-draft.ts'
import type { Stored } from '../pipeline.ts'
import { DocumentWorkshop } from './document-workshop.tsx'
import { FoundDraft } from './found-draft.tsx'
import { countProblems } from './problem-list.tsx'
import { SaveConflict } from './save-conflict.tsx'
import { useProblems } from './use-problems.ts'

const page = getRouteApi('/shell/pipelines/$id/edit')

/** Writes the next version of a pipeline. */
export function EditPipelinePage(): ReactNode {
  const pipeline = useQuery(page.useLoaderData())
  if (pipeline.data === undefined) {
    return <ObjectPending title="Edit a pipeline" query={pipeline} />
  }
  return (
    <Editor
      key={pipeline.data.body.id}
      stored={{ pipeline: pipeline.data.body, etag: pipeline.data.etag }}
      onReload={async () => {
        const { data } = await pipeline.refetch()
        return data && { pipeline: data.body, etag: data.etag }
      }}
    />
  )
}

interface EditorProps {
  readonly stored: Stored
  readonly onReload: () => Promise<Stored | undefined>
}

const CHANGES = [pipelineRoutes.listPipelines, pipelineRoutes.getPipeline, pipelineRoutes.listPipelineVersions]

function Editor({ stored, onReload }: EditorProps): ReactNode {
  const { pipeline } = stored
  // As it was when the person began: a newer version is met at save.
  const [base, setBase] = useState({ ...stored, version: pipeline.version })
  const [text, setText] = useState(pipeline.document)
  /** The newer version that a save met. */
  const [theirs, setTheirs] = useState<Stored>()
  const found = useProblems(text, pipeline.team_path)
  const draft = useDraft(pipeline.id, base.pipeline.document, {
    text,
    version: base.version,
    etag: base.etag ?? null,
  })
  const replace = useWrite(pipelineRoutes.replacePipeline, {
    changes: CHANGES,
    onDone: async (saved) => {
      const current = await onReload()
      // With a version of somebody else in between, the old ETag makes the next save show both.
      const etag = current?.pipeline.version === saved.version ? current.etag : base.etag
      setBase({ pipeline: saved, version: saved.version, etag })
    },
  })
  const save = (document: string, ifMatch: string | undefined): void => {
    setTheirs(undefined)
    replace.mutate(
      { params: { id: pipeline.id }, body: { document }, ifMatch },
      {
        onError: async (error) => {
          if (isConflict(error)) setTheirs(await onReload())
        },
      },
    )
  }
  const obstacle = isConflict(replace.error)
    ? 'Choose below what is saved.'
    : obstacleOf(text === base.pipeline.document, found.problems.length)
  return (
    <>
      <PageHeader
        title={`Edit ${pipeline.name}`}
        team={pipeline.team_path}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/pipelines" params={{ team: pipeline.team_path }}>
            Pipelines of {pipeline.team_path}
          </PageLink>,
          <PageLink key="pipeline" to="/pipelines/$id" params={{ id: pipeline.id }}>
            {pipeline.name}
          </PageLink>,
        ]}
        facts={[
          <span key="state" role="status">
            {text === base.pipeline.document
              ? `As in version ${base.version}`
              : `Changed since version ${base.version}`}
          </span>,
        ]}
        actions={
          <>
            <AllowedButton
              permission="pipeline.write"
              at={pipeline.team_path}
              obstacle={obstacle}
              loading={replace.isPending}
              onClick={() => save(text, base.etag)}
            >
              Save
            </AllowedButton>
            <PageButton variant="default" to="/pipelines/$id" params={{ id: pipeline.id }}>
              Close
            </PageButton>
          </>
        }
      />
      <FoundDraft
        draft={draft.found}
        version={base.version}
        onTakeUp={(kept) => {
          setText(kept.text)
          setBase({ ...base, version: kept.version ?? base.version, etag: kept.etag ?? base.etag })
          draft.takeUp()
        }}
        onGiveUp={draft.giveUp}
      />
      {isConflict(replace.error) ? (
        <SaveConflict
          mine={text}
          theirs={theirs}
          onKeep={(merged, newer) => {
            setText(merged)
            setBase({ ...newer, version: newer.pipeline.version })
            save(merged, newer.etag)
          }}
          onTakeTheirs={(newer) => {
            setText(newer.pipeline.document)
            setBase({ ...newer, version: newer.pipeline.version })
            replace.reset()
          }}
        />
      ) : (
        <>
          <ProblemNotice error={replace.error} />
          <DocumentWorkshop
            label={`Document of ${pipeline.identifier}`}
            text={text}
            onChange={setText}
            onSave={() => {
              if (obstacle === undefined && !replace.isPending) save(text, base.etag)
            }}
            found={found}
          />
        </>
      )}
    </>
  )
}

function obstacleOf(isUnchanged: boolean, problems: number): string | undefined {
  if (isUnchanged) return 'Nothing is changed.'
  return problems === 0 ? undefined : `The document has ${countProblems(problems, 0).toLowerCase()}.`
}

import { Select } from '@mantine/core'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../../client/index.ts'
import {
  AllowedButton,
  FormRow,
  fieldError,
  PageHeader,
  PageLink,
  ProblemNotice,
  TeamSelect,
} from '../../../components/index.ts'
import { EVERY_TEAM } from '../../../shell/index.ts'
import { useDraft } from '../drafts/use-draft.ts'
import { DocumentWorkshop } from './document-workshop.tsx'
import { FoundDraft } from './found-draft.tsx'
import { countProblems } from './problem-list.tsx'
import { TEMPLATES, type TemplateName } from './templates.ts'
import { useProblems } from './use-problems.ts'

const page = getRouteApi('/shell/t/$team/pipelines/new')

/** Writes a pipeline from one of the templates. */
export function NewPipelinePage(): ReactNode {
  const { team } = page.useParams()
  const navigate = page.useNavigate()
  const [teamPath, setTeamPath] = useState(team === EVERY_TEAM ? '' : team)
  const [template, setTemplate] = useState<TemplateName>('plain')
  const [text, setText] = useState<string>(TEMPLATES.plain.document)
  const found = useProblems(text, teamPath)
  const draft = useDraft(`new:${team}`, TEMPLATES[template].document, { text, version: null, etag: null })
  const create = useWrite(pipelineRoutes.createPipeline, {
    changes: [pipelineRoutes.listPipelines],
    onDone: ({ id }) => {
      draft.forget()
      void navigate({ to: '/pipelines/$id', params: { id } })
    },
  })
  const problems = found.problems.length
  const obstacle = problems === 0 ? undefined : `The document has ${countProblems(problems, 0).toLowerCase()}.`
  const save = (): void => create.mutate({ body: { team_path: teamPath, document: text } })
  return (
    <>
      <PageHeader
        title="Create a pipeline"
        breadcrumb={[
          <PageLink key="list" to="/t/$team/pipelines" params={{ team }}>
            Pipelines{team === EVERY_TEAM ? '' : ` of ${team}`}
          </PageLink>,
        ]}
        actions={
          <AllowedButton
            permission="pipeline.write"
            at={teamPath === '' ? '/' : teamPath}
            obstacle={obstacle}
            loading={create.isPending}
            onClick={save}
          >
            Create
          </AllowedButton>
        }
      />
      <FoundDraft
        draft={draft.found}
        onTakeUp={(kept) => {
          setText(kept.text)
          draft.takeUp()
        }}
        onGiveUp={draft.giveUp}
      />
      <FormRow>
        <TeamSelect value={teamPath} onChange={setTeamPath} error={fieldError(create.error, 'team_path')} />
        <Select
          label="Template"
          allowDeselect={false}
          data={Object.entries(TEMPLATES).map(([value, { label }]) => ({ value, label }))}
          value={template}
          onChange={(chosen) => {
            if (chosen === null || !isTemplate(chosen)) return
            setTemplate(chosen)
            // What the person wrote stays.
            if (text === TEMPLATES[template].document) setText(TEMPLATES[chosen].document)
          }}
        />
      </FormRow>
      <ProblemNotice error={create.error} marked={['team_path']} />
      <DocumentWorkshop
        label="Document of the new pipeline"
        text={text}
        onChange={setText}
        onSave={() => {
          if (obstacle === undefined && !create.isPending) save()
        }}
        found={found}
      />
    </>
  )
}

function isTemplate(value: string): value is TemplateName {
  return Object.hasOwn(TEMPLATES, value)
}

import { TextInput } from '@mantine/core'
import { overrideRoutes, resolutionRoutes } from '@signalbox/contracts/overrides/routes'
import type { ReactNode } from 'react'
import { useEdited } from '../../client/index.ts'
import { EditForm } from '../../components/edit-form.tsx'
import { fieldError, GrowingText, Section } from '../../components/index.ts'
import { PipelineField, teamOfPipeline } from '../../components/pipeline-field.tsx'
import { ScopeField } from '../../components/scope-field.tsx'
import { documentOf, draftOf, type Override } from './override.ts'
import styles from './override-page.module.css'
import { Preview } from './preview.tsx'

const FIELDS = ['pipeline', 'scope', 'expires_at', 'reason']
const CHANGES = [overrideRoutes.getOverride, overrideRoutes.listOverrides, resolutionRoutes.resolveRepository]

interface EditOverrideProps {
  readonly repository: { readonly repoOwner: string; readonly repoName: string }
  /** Undefined: the repository has none. */
  readonly override: Override | undefined
  readonly etag: string | undefined
}

/** The document of an override, and what it would have changed. */
export function EditOverride({ repository, override, etag }: EditOverrideProps): ReactNode {
  const edited = useEdited({
    route: overrideRoutes.replaceOverride,
    params: repository,
    changes: CHANGES,
    stored: override,
    etag,
    draftOf,
    documentOf,
  })
  const { draft, setDraft, error } = edited
  const verb = override ? 'Save' : 'Override it'
  const team = teamOfPipeline(draft.pipeline)
  return (
    <>
      <Section title={override ? 'Settings' : 'Override it'}>
        <EditForm
          edited={edited}
          marked={FIELDS}
          permission="override.write"
          at={team === '' ? undefined : team}
          action={verb}
          className={styles['form']}
        >
          <PipelineField
            value={draft.pipeline}
            error={fieldError(error, 'pipeline')}
            onChange={(pipeline) => setDraft({ ...draft, pipeline })}
          />
          <ScopeField
            teamPath={team}
            value={draft.scope}
            error={fieldError(error, 'scope')}
            onChange={(scope) => setDraft({ ...draft, scope })}
          />
          <TextInput
            label="Expires"
            description="Such as 2027-01-08T00:00:00Z. Empty: never."
            value={draft.expiresAt}
            error={fieldError(error, 'expires_at')}
            onChange={({ currentTarget }) => setDraft({ ...draft, expiresAt: currentTarget.value })}
          />
          <GrowingText
            label="Reason"
            description="For later readers."
            least={2}
            maxLength={1000}
            value={draft.reason}
            error={fieldError(error, 'reason')}
            onChange={({ currentTarget }) => setDraft({ ...draft, reason: currentTarget.value })}
          />
        </EditForm>
      </Section>
      <Preview
        repository={repository}
        pipeline={draft.pipeline.trim()}
        scope={draft.scope.trim()}
        at={team === '' ? undefined : team}
      />
    </>
  )
}

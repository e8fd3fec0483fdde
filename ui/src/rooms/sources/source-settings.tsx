import { Checkbox, Select, TagsInput, Text } from '@mantine/core'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import type { ReactNode } from 'react'
import { useEdited } from '../../client/index.ts'
import { EditForm } from '../../components/edit-form.tsx'
import { fieldError, Section } from '../../components/index.ts'
import type { Source } from './source.ts'
import styles from './source-settings.module.css'

const FIELDS = ['repository_allowlist', 'visibility', 'comment_commands']
const CHANGES = [sourceRoutes.getSource, sourceRoutes.listSources]
const VISIBILITIES: readonly { readonly value: Source['visibility']; readonly label: string }[] = [
  { value: 'private', label: 'Triggers whose owner may see it' },
  { value: 'shared', label: 'Triggers of every team' },
]

interface SourceSettingsProps {
  readonly source: Source
  readonly etag: string | undefined
}

/** For which repositories a source may speak, and whose triggers hear it. */
export function SourceSettings({ source, etag }: SourceSettingsProps): ReactNode {
  const edited = useEdited({
    route: sourceRoutes.updateSource,
    params: { sourceID: source.id },
    changes: CHANGES,
    stored: source,
    etag,
    draftOf: settingsOf,
    documentOf: (draft) => draft,
  })
  const { draft, setDraft, error } = edited
  return (
    <Section title="Who it speaks for, and to whom">
      <EditForm
        edited={edited}
        marked={FIELDS}
        permission="webhook_source.write"
        at={source.team_path}
        className={styles['form']}
      >
        <TagsInput
          label="Repositories"
          description="owner/repository patterns: * within a part, ** across, ! excludes. Enter adds one."
          value={draft.repository_allowlist}
          error={fieldError(error, 'repository_allowlist')}
          onChange={(repositories) => setDraft({ ...draft, repository_allowlist: repositories })}
        />
        <Select
          label="Seen by"
          allowDeselect={false}
          data={VISIBILITIES}
          value={draft.visibility}
          error={fieldError(error, 'visibility')}
          onChange={(chosen) => {
            const visibility = VISIBILITIES.find(({ value }) => value === chosen)?.value
            if (visibility) setDraft({ ...draft, visibility })
          }}
        />
        <Checkbox
          label="Comments of pull requests may hold commands, such as /run"
          description="From people who may write to the repository. It needs a credential for checkouts, which asks the provider."
          checked={draft.comment_commands}
          error={fieldError(error, 'comment_commands')}
          onChange={({ currentTarget }) => setDraft({ ...draft, comment_commands: currentTarget.checked })}
        />
        <Text size="sm">
          Whoever saves becomes its owner: manifests of its repositories start runs on their behalf.
        </Text>
      </EditForm>
    </Section>
  )
}

function settingsOf({
  repository_allowlist,
  visibility,
  comment_commands,
}: Source): Pick<Source, 'repository_allowlist' | 'visibility' | 'comment_commands'> {
  return { repository_allowlist, visibility, comment_commands }
}

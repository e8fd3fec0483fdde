import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { overrideRoutes, resolutionRoutes } from '@signalbox/contracts/overrides/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  ConflictNotice,
  fieldError,
  isConflict,
  ProblemNotice,
  Section,
} from '../../components/index.ts'
import { documentOf, draftOf, type Override, teamOf } from './override.ts'
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
  // As it was when the person began: a newer version is met at save.
  const [baseEtag, setBaseEtag] = useState(etag)
  const [draft, setDraft] = useState(() => draftOf(override))
  const replace = useWrite(overrideRoutes.replaceOverride, { changes: CHANGES })
  // Our own save is the new base once it was read again.
  const isSaved = replace.isSuccess && replace.data.updated_at === override?.updated_at
  if (isSaved && baseEtag !== etag) setBaseEtag(etag)
  const changed = documentOf(draft)
  const save = (ifMatch: string | undefined): void => replace.mutate({ params: repository, body: changed, ifMatch })
  const text = (field: 'pipeline' | 'scope' | 'expiresAt', name: string) => ({
    value: draft[field],
    error: fieldError(replace.error, name),
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setDraft({ ...draft, [field]: currentTarget.value }),
  })
  const verb = override ? 'Save' : 'Override it'
  const team = teamOf(draft.pipeline)
  return (
    <>
      <Section title={override ? 'Change it' : 'Override it'}>
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault()
            save(baseEtag)
          }}
        >
          <Stack gap="md">
            <TextInput label="Pipeline" required placeholder="acme/web/build" {...text('pipeline', 'pipeline')} />
            <TextInput
              label="Scope"
              description="Empty: the only environment of the pipeline's team."
              {...text('scope', 'scope')}
            />
            <TextInput
              label="Expires"
              description="Such as 2027-01-08T00:00:00Z. Empty: never."
              {...text('expiresAt', 'expires_at')}
            />
            <Textarea
              label="Reason"
              description="For later readers."
              autosize
              minRows={2}
              maxLength={1000}
              value={draft.reason}
              error={fieldError(replace.error, 'reason')}
              onChange={({ currentTarget }) => setDraft({ ...draft, reason: currentTarget.value })}
            />
            <ConflictNotice
              error={replace.error}
              mine={JSON.stringify(changed, null, 2)}
              theirs={JSON.stringify(documentOf(draftOf(override)), null, 2)}
              onTakeTheirs={() => {
                setBaseEtag(etag)
                setDraft(draftOf(override))
                replace.reset()
              }}
              onKeepMine={() => save(etag)}
            />
            {!isConflict(replace.error) && <ProblemNotice error={replace.error} marked={FIELDS} />}
            <Group gap="sm">
              {team === '' ? (
                <Button type="submit">{verb}</Button>
              ) : (
                <AllowedButton type="submit" permission="override.write" at={team} loading={replace.isPending}>
                  {verb}
                </AllowedButton>
              )}
              <Text size="sm" component="output">
                {isSaved ? 'Saved.' : ''}
              </Text>
            </Group>
          </Stack>
        </form>
      </Section>
      <Preview repository={repository} pipeline={draft.pipeline.trim()} scope={draft.scope.trim()} />
    </>
  )
}

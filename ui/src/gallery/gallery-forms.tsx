import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApiProblem } from '../client/index.ts'
import { AssignmentsField } from '../components/assignments-field.tsx'
import { BranchField } from '../components/branch-field.tsx'
import { ChangedNotice } from '../components/changed-notice.tsx'
import { ConflictNotice } from '../components/conflict-notice.tsx'
import { DeleteDialog } from '../components/delete-dialog.tsx'
import { EditDialog } from '../components/edit-dialog.tsx'
import { EditForm } from '../components/edit-form.tsx'
import {
  AllowedButton,
  ConfirmButton,
  FormDialog,
  FormRow,
  fieldError,
  GrowingText,
  PageButton,
  PageLink,
  ProblemNotice,
  ReadyButton,
  Section,
  ShownOnce,
  TeamSelect,
} from '../components/index.ts'
import { PipelineField } from '../components/pipeline-field.tsx'
import { ScopeField } from '../components/scope-field.tsx'

const REFUSED = new ApiProblem(409, {
  detail: 'The name is taken.',
  code: 'team.path_taken',
  request_id: '0198c2f0-0000-7000-8000-000000000000',
  errors: [{ field: 'path', message: 'is taken' }],
})

const CONFLICT = new ApiProblem(412, {
  detail: 'Somebody saved meanwhile.',
  code: 'version_conflict',
  request_id: '0198c2f0-0000-7000-8000-000000000000',
})

function nothing(): void {
  // A picture of a form sends nothing.
}

const EDITED = {
  document: {},
  draft: {},
  isSaving: false,
  isSaved: false,
  error: null,
  save: nothing,
  undo: nothing,
  mine: 'name: mine',
  theirs: 'name: theirs',
  takeTheirs: nothing,
  keepMine: nothing,
}

/** What a person presses, fills in and is told of it. */
export function Forms(): ReactNode {
  return (
    <>
      <Buttons />
      <Fields />
      <Problems />
    </>
  )
}

function Buttons(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const close = (): void => setDialog(undefined)
  return (
    <Section title="Buttons">
      <FormRow>
        <AllowedButton permission="run.start" at="/">
          Allowed
        </AllowedButton>
        <AllowedButton permission="run.start" at="elsewhere">
          Not allowed
        </AllowedButton>
        <AllowedButton permission="run.start" at="/" obstacle="Nothing is changed.">
          Not now
        </AllowedButton>
        <ReadyButton obstacle="Somebody else is at it.">Not ready</ReadyButton>
        <Button loading>Sending</Button>
        <Button variant="default">Second</Button>
        {(['note', 'danger', 'caution', 'good', 'plain'] as const).map((color) => (
          <Button key={color} variant="subtle" color={color}>
            {color}
          </Button>
        ))}
        <ConfirmButton
          question="Delete it?"
          loss="It is gone."
          deed="Delete"
          onConfirm={async () => {
            throw REFUSED
          }}
        >
          Asks, and is refused
        </ConfirmButton>
        <Button variant="default" onClick={() => setOpen(true)}>
          A dialog
        </Button>
        <Button variant="default" onClick={() => setDialog('edit')}>
          An edit
        </Button>
        <Button variant="default" onClick={() => setDialog('delete')}>
          A deletion
        </Button>
        <PageButton to="/" variant="default">
          Another page
        </PageButton>
        <PageLink to="/">A link</PageLink>
      </FormRow>
      <FormDialog
        title="Rename the team"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onSubmit={nothing}
        action="Rename"
        isSending={false}
        error={REFUSED}
        marked={['path']}
      >
        <TextInput label="Path" error={fieldError(REFUSED, 'path')} />
      </FormDialog>
      {dialog === 'edit' && (
        <EditDialog
          title="Change it"
          edited={{ ...EDITED, isChanged: true, error: CONFLICT }}
          marked={[]}
          onClose={close}
        >
          <TextInput label="Name" />
        </EditDialog>
      )}
      {dialog === 'delete' && (
        <DeleteDialog
          title="Delete it?"
          loss="It is gone."
          stored={{ name: 'web' }}
          etag={undefined}
          write={{ isPending: false, error: REFUSED }}
          onDelete={nothing}
          onClose={close}
        />
      )}
    </Section>
  )
}

function Fields(): ReactNode {
  const [typed, setTyped] = useState('Two lines,\nand as high as they need.')
  const [team, setTeam] = useState('')
  return (
    <Section title="Forms">
      <FormRow>
        <TextInput label="In a row" description="On a phone it has the whole width." />
        <TeamSelect value={team} onChange={setTeam} />
        <PipelineField value="" error={undefined} onChange={nothing} />
        <ScopeField teamPath={team} value="" error={undefined} onChange={nothing} />
        <BranchField repository="" value="main" onChange={nothing} />
        <Button>Ask</Button>
      </FormRow>
      <AssignmentsField label="Variables" value="GREETING=hello" error={undefined} onChange={nothing} />
      <GrowingText
        label="Reason"
        least={2}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <AssignmentsField label="With an error" value="GREETING" error="line 1 has no =" onChange={nothing} />
      <EditForm edited={{ ...EDITED, isChanged: false, isSaved: true }} marked={[]} permission="run.start" at="/">
        <TextInput label="Saved" />
      </EditForm>
      <EditForm edited={{ ...EDITED, isChanged: true }} marked={[]} permission="run.start" at="/">
        <TextInput label="Changed" />
      </EditForm>
    </Section>
  )
}

function Problems(): ReactNode {
  return (
    <Section title="Problems">
      <ProblemNotice error={REFUSED} onRetry={nothing} />
      <ConflictNotice
        error={CONFLICT}
        mine="name: mine"
        theirs="name: theirs"
        onTakeTheirs={nothing}
        onKeepMine={nothing}
      />
      <ChangedNotice error={CONFLICT} seen={{ scopes: ['acme/test'] }} now={{ scopes: ['acme/live'] }} />
      <ShownOnce label="The token" secret="sbx_0000" />
    </Section>
  )
}

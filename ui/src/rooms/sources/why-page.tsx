import { Button, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyAs, EmptyState, FormRow, PageHeader, Section } from '../../components/index.ts'
import { PushAnswer } from './push-answer.tsx'
import { pushQueryOf, readWhyAddress, type WhyAddress } from './why-address.ts'

const page = getRouteApi('/shell/why')

/** "Why did nothing start?": asked of a repository and one of its changes. */
export function WhyPage(): ReactNode {
  const asked = page.useSearch()
  const navigate = page.useNavigate()
  const query = pushQueryOf(asked)
  return (
    <>
      <PageHeader
        title="Why did nothing start?"
        sentence="What became of a push, a tag, a pull request or a delivery, sentence by sentence, and what to do."
        actions={
          query && (
            <CopyAs
              path={`/v1/explain/push?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))}`}
              command={commandOf(asked)}
            />
          )
        }
      />
      <Question key={JSON.stringify(asked)} asked={asked} onAsk={(search) => void navigate({ search })} />
      {query ? (
        <Section title="Why">
          <PushAnswer query={query} />
        </Section>
      ) : (
        <EmptyState title="Nothing is asked yet">
          Name the repository, and the commit, branch, tag or pull request that should have started something. Without
          one of them you read what was told of the repository last.
        </EmptyState>
      )}
    </>
  )
}

interface QuestionProps {
  readonly asked: WhyAddress
  readonly onAsk: (asked: WhyAddress) => void
}

function Question({ asked, onAsk }: QuestionProps): ReactNode {
  return (
    <form
      aria-label="Question"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()])
        onAsk(readWhyAddress(Object.fromEntries(typed)))
      }}
    >
      <FormRow>
        <TextInput
          name="repository"
          label="Repository"
          placeholder="owner/name"
          defaultValue={asked.repository ?? ''}
        />
        <TextInput name="commit" label="Commit" defaultValue={asked.commit ?? ''} />
        <TextInput name="ref" label="Branch or ref" defaultValue={asked.ref ?? ''} />
        <TextInput name="tag" label="Tag" defaultValue={asked.tag ?? ''} />
        <TextInput name="pull" label="Pull request" inputMode="numeric" defaultValue={asked.pull ?? ''} />
        <TextInput name="delivery" label="Or a delivery" placeholder="its id" defaultValue={asked.delivery ?? ''} />
        <Button type="submit" size="sm">
          Ask
        </Button>
      </FormRow>
    </form>
  )
}

function commandOf({ repository, commit, ref, tag, pull, delivery }: WhyAddress): readonly string[] {
  const option = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [name, value])
  return [
    'why',
    'push',
    ...(repository === undefined ? [] : [repository]),
    ...option('--commit', commit),
    ...option('--ref', ref),
    ...option('--tag', tag),
    ...option('--pull-request', pull),
    ...option('--delivery', delivery),
  ]
}

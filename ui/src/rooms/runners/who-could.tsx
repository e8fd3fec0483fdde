import { Button, Text, TextInput } from '@mantine/core'
import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../client/index.ts'
import {
  DataList,
  EmptyState,
  ForeignText,
  FormRow,
  fieldError,
  ProblemNotice,
  Section,
} from '../../components/index.ts'
import { type Need, readNeed } from './need.ts'

interface WhoCouldProps {
  readonly need: Need
  readonly onAsk: (need: Need) => void
}

/** "Who could take this?": the verdict of each runner, in the words of the queue. */
export function WhoCould({ need, onAsk }: WhoCouldProps): ReactNode {
  const { scope } = need
  const verdicts = useQuery({
    queryKey: ['verdicts', need],
    queryFn: ({ signal }) =>
      call(dispatchRoutes.judgeRunners, {
        body: {
          scope: scope ?? '',
          ...(need.profile === undefined ? {} : { profile: need.profile }),
          ...(need.labels === undefined ? {} : { labels: need.labels.split(/[\s,]+/).filter((label) => label !== '') }),
        },
        signal,
      }),
    enabled: scope !== undefined,
    retry: false,
  })
  return (
    <Section title="Who could take this?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onAsk(readNeed(Object.fromEntries(new FormData(event.currentTarget))))
        }}
      >
        <FormRow>
          <TextInput
            name="scope"
            label="Scope"
            required
            placeholder="acme/web/staging"
            defaultValue={need.scope ?? ''}
            error={fieldError(verdicts.error, 'scope')}
          />
          <TextInput
            name="profile"
            label="Profile"
            defaultValue={need.profile ?? ''}
            error={fieldError(verdicts.error, 'profile')}
          />
          <TextInput name="labels" label="Labels" placeholder="gpu, arm64" defaultValue={need.labels ?? ''} />
          <Button type="submit" variant="default" size="sm">
            Ask
          </Button>
        </FormRow>
      </form>
      <ProblemNotice error={verdicts.error} marked={['scope', 'profile']} />
      {verdicts.data && (
        <>
          <Text aria-live="polite" my="sm">
            <ForeignText>{verdicts.data.reason ?? 'A runner can take it now.'}</ForeignText>
          </Text>
          <DataList
            label="Verdicts"
            items={verdicts.data.runners}
            keyOf={({ runner_id }) => runner_id}
            columns={[
              { key: 'runner', header: 'Runner', isPlain: true, cell: ({ runner }) => runner },
              {
                key: 'verdict',
                header: 'Verdict',
                isPlain: true,
                cell: ({ verdict }) => <ForeignText>{verdict}</ForeignText>,
              },
            ]}
            empty={<EmptyState title="No runner that you may see">Enrol one for this scope.</EmptyState>}
          />
        </>
      )}
    </Section>
  )
}

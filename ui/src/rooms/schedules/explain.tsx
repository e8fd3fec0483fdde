import { Button, TextInput } from '@mantine/core'
import { explainRoutes } from '@signalbox/contracts/schedules/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../client/index.ts'
import { ForeignText, FormRow, PageLink, ProblemNotice, Section } from '../../components/index.ts'

interface ExplainProps {
  readonly scheduleId: string
  /** The instant that is asked about; undefined: nothing is asked yet. */
  readonly at: string | undefined
  readonly onAsk: (at: string) => void
}

/** "Why did it fire, or not, then?" */
export function Explain({ scheduleId, at, onAsk }: ExplainProps): ReactNode {
  return (
    <Section title="Why did it fire, or not?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onAsk(String(new FormData(event.currentTarget).get('at') ?? ''))
        }}
      >
        <FormRow>
          <TextInput
            name="at"
            label="At"
            description="Without an offset it is local time of the schedule."
            placeholder="2026-11-23T03:00"
            defaultValue={at ?? ''}
          />
          <Button type="submit" variant="default" size="sm">
            Explain
          </Button>
        </FormRow>
      </form>
      {at !== undefined && <Answer scheduleId={scheduleId} at={at} />}
    </Section>
  )
}

function Answer({ scheduleId, at }: { readonly scheduleId: string; readonly at: string }): ReactNode {
  const answer = useQuery(read(explainRoutes.explainSchedule, { query: { schedule: scheduleId, at } }))
  if (!answer.data) return <ProblemNotice error={answer.error} onRetry={() => void answer.refetch()} />
  return (
    <ol aria-live="polite">
      {answer.data.sentences.map(({ text, evidence }) => (
        <li key={text}>
          <ForeignText>{text}</ForeignText>{' '}
          {evidence
            .filter(({ kind }) => kind === 'run')
            .map(({ id }) => (
              <PageLink key={id} to="/runs/$id" params={{ id }}>
                the run
              </PageLink>
            ))}
        </li>
      ))}
    </ol>
  )
}

import { Button, TextInput } from '@mantine/core'
import { explainRoutes } from '@signalbox/contracts/schedules/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../client/index.ts'
import { Findings } from '../../components/findings.tsx'
import { FormRow, ProblemNotice, Section } from '../../components/index.ts'
import { Quotes } from '../../components/quotes.tsx'

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
    <div aria-live="polite">
      <Findings
        label="Why"
        findings={answer.data.findings}
        here={scheduleId}
        more={({ told }) => told !== undefined && <Quotes quotes={[{ about: 'On record', text: told }]} />}
      />
    </div>
  )
}

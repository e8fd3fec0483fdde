import type { ReactNode } from 'react'
import { DataList, Facts, Instant, Section } from '../../components/index.ts'
import type { Run } from './run.ts'
import { estimateOf, placeOf } from './waiting-words.ts'
import { RunFindings } from './why/why.tsx'

/** What a queued run waits for: its place, an estimate, its deadline, and what each runner says to it. */
export function Waiting({ run }: { readonly run: Run }): ReactNode {
  return (
    <>
      <RunFindings run={run} />
      <Section title="How long it may wait">
        <Facts
          facts={[
            ['Place', placeOf(run)],
            ['Estimate', estimateOf(run)],
            ['Ends as timed out', run.queue_deadline_at && <Instant at={run.queue_deadline_at} form="full" />],
          ]}
        />
      </Section>
      {run.hold === null && (
        <Section title="What each runner says">
          <DataList
            label="Runners"
            items={run.queue_blockers}
            keyOf={({ runner_id }) => runner_id}
            columns={[
              { key: 'runner', header: 'Runner', isPlain: true, cell: ({ runner }) => runner },
              { key: 'verdict', header: 'Verdict', isPlain: true, cell: ({ verdict }) => verdict },
            ]}
            empty={
              <p>
                No runner serves the team of {run.scope}. Enrol one: <code>signalbox runner enrol {run.team_path}</code>
                .
              </p>
            }
          />
        </Section>
      )}
    </>
  )
}

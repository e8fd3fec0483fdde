import type { ReactNode } from 'react'
import { type Column, DataList, EmptyState, ForeignText, Instant } from '../../components/index.ts'
import type { Occurrence } from './schedule.ts'

const WORDS: Readonly<Record<string, string>> = {
  shifted: 'a change of the clock skips its local time',
  first_of_two: 'the first of two equal local times',
  second_of_two: 'the second of two equal local times',
  spread: 'later by the spread',
  excluded: 'does not fire',
}

const COLUMNS: readonly Column<Occurrence>[] = [
  { key: 'local', header: 'In the zone of the schedule', isPlain: true, cell: ({ local }) => local },
  { key: 'here', header: 'For you', cell: ({ planned_at }) => <Instant at={planned_at} form="full" /> },
  {
    key: 'notes',
    header: 'Note',
    cell: ({ marks, excluded_by }) => (
      <ForeignText>
        {[
          ...marks.map((mark) => WORDS[mark] ?? mark),
          ...(excluded_by === null ? [] : [`excluded by ${excluded_by}`]),
        ].join('; ')}
      </ForeignText>
    ),
  },
]

interface OccurrencesProps {
  readonly occurrences: readonly Occurrence[] | undefined
  /** Why there are none. */
  readonly empty?: ReactNode
}

const NEVER = <EmptyState title="It never fires">No instant lies ahead.</EmptyState>

/** Instants of a schedule, those that do not fire with the reason. */
export function Occurrences({ occurrences, empty = NEVER }: OccurrencesProps): ReactNode {
  return (
    <DataList
      label="Next instants"
      columns={COLUMNS}
      items={occurrences}
      keyOf={({ planned_at, nominal_at }) => `${planned_at} ${nominal_at}`}
      empty={empty}
    />
  )
}

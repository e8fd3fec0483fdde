import { Button, Select, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '../../../components/index.ts'
import { CAUSES, FILTERS, type FilterName, type RunFilters, readRunFilters, statusesOf } from '../run-filters.ts'
import styles from './filter-form.module.css'
import { useAfterPaint } from './use-after-paint.ts'

// The list can be used before: what one chooses several of is not part of what a browser loads first.
const LATER = <TextInput label={FILTERS.status} disabled />
const StatusSelect = lazyPart(async () => (await import('./status-select.tsx')).StatusSelect, { waiting: LATER })

interface FilterFormProps {
  readonly filters: RunFilters
  readonly onChange: (filters: RunFilters) => void
}

/** Those that are always there; the others are shown when asked for, and while they narrow the list. */
const FIRST: readonly FilterName[] = ['pipeline', 'branch', 'repository']

const HINTS: Partial<Readonly<Record<FilterName, string>>> = {
  pipeline: 'acme/web/build',
  branch: 'main',
  repository: 'acme/shop',
  commit: 'first 4 characters, or more',
  scope: 'acme/web/production',
  initiator: 'id of a user or service account',
  since: '2026-11-23T00:00:00Z',
  until: '2026-11-24T00:00:00Z',
}

/** Narrows the list; what was chosen stands in the address. */
export function FilterForm({ filters, onChange }: FilterFormProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const count = Object.keys(filters).length
  const names = Object.keys(FILTERS)
    .filter(isText)
    .filter((name) => {
      return isWhole || FIRST.includes(name) || filters[name] !== undefined
    })
  const statuses = statusesOf(filters)
  // Its list of choices hangs below the document: the styles of the whole page are found anew, twice.
  const hasStatuses = useAfterPaint()
  return (
    <form
      className={styles['form']}
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = Object.fromEntries(new FormData(event.currentTarget))
        onChange(readRunFilters({ status: filters.status, cause: filters.cause, ...typed }))
      }}
    >
      {hasStatuses ? (
        <StatusSelect
          chosen={statuses}
          onChange={(chosen) => onChange(withFilter(filters, 'status', chosen.join(',')))}
        />
      ) : (
        LATER
      )}
      {(isWhole || filters.cause !== undefined) && (
        <Select
          label={FILTERS.cause}
          placeholder="Any"
          clearable
          value={filters.cause ?? null}
          data={[...CAUSES]}
          onChange={(chosen) => onChange(withFilter(filters, 'cause', chosen ?? ''))}
        />
      )}
      {names.map((name) => (
        <TextInput
          key={name}
          name={name}
          label={FILTERS[name]}
          placeholder={HINTS[name] ?? ''}
          defaultValue={filters[name] ?? ''}
          inputMode={name === 'pull_request' ? 'numeric' : 'text'}
        />
      ))}
      <div className={styles['buttons']}>
        <Button type="submit" variant="default" size="sm">
          Filter
        </Button>
        {!isWhole && (
          <Button variant="subtle" size="sm" onClick={() => setWhole(true)}>
            More filters
          </Button>
        )}
        {count > 0 && (
          <Button variant="subtle" size="sm" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </div>
    </form>
  )
}

function isText(name: string): name is FilterName {
  return name !== 'status' && name !== 'cause'
}

function withFilter(filters: RunFilters, name: FilterName, value: string): RunFilters {
  return readRunFilters({ ...filters, [name]: value })
}

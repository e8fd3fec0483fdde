/** The filters of the list of runs, as they stand in the address. */
export interface RunFilters {
  readonly status?: string
  readonly branch?: string
  readonly pipeline?: string
}

const NAMES = ['status', 'branch', 'pipeline'] as const

/** Reads the address; what is no filter is left out. */
export function readRunFilters(search: Readonly<Record<string, unknown>>): RunFilters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}

import { type GraphAddress, readGraphAddress } from '../graph/index.ts'

export const TABS = { runs: 'Runs', document: 'Document', causes: 'Started by', versions: 'Versions' } as const
export type Tab = keyof typeof TABS

/** What of a pipeline's page stands in the address. */
export interface PipelineAddress extends GraphAddress {
  readonly tab?: Tab
  /** The form that starts a run is open. */
  readonly run?: true
  /** The version that is looked at. */
  readonly version?: number
  /** The version that it is compared with. */
  readonly with?: number
}

export function readPipelineAddress(search: Readonly<Record<string, unknown>>): PipelineAddress {
  const tab = Object.keys(TABS).find((each): each is Tab => each === search['tab'])
  const version = numberOf(search['version'])
  const other = numberOf(search['with'])
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(search['run'] === true ? { run: true } : {}),
    ...readGraphAddress(search),
    ...(version === undefined ? {} : { version }),
    ...(other === undefined ? {} : { with: other }),
  }
}

function numberOf(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 && typeof value !== 'boolean' ? number : undefined
}

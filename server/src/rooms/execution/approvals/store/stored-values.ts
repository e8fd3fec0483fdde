import type { GraphApprovalField } from '@signalbox/pipeline/graph'
import type { Initiator } from '#rooms/execution/runs'
import type { RequestStatus } from '../rules/index.ts'

/** What this room wrote as text and jsonb, read back; anything else is dropped. */

const STATUSES: readonly RequestStatus[] = ['waiting', 'approved', 'rejected', 'timed_out', 'withdrawn']
const KINDS: readonly Initiator['kind'][] = ['user', 'service_account', 'bootstrap', 'system']
const TYPES: readonly GraphApprovalField['type'][] = ['text', 'choice', 'boolean']

export function readStatus(text: string): RequestStatus {
  return STATUSES.find((status) => status === text) ?? 'withdrawn'
}

export function readInitiator(kind: string, id: string, name: string): Initiator {
  return { kind: KINDS.find((known) => known === kind) ?? 'system', id, name }
}

export function readFieldList(value: unknown): GraphApprovalField[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => {
    const entries = new Map(entriesOf(item))
    const name = textOf(entries.get('name'))
    if (name === null) return []
    const options = entries.get('options')
    return [
      {
        name,
        type: TYPES.find((type) => type === entries.get('type')) ?? 'text',
        required: entries.get('required') === true,
        options: Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [],
        default: textOf(entries.get('default')),
        description: textOf(entries.get('description')),
      },
    ]
  })
}

export function readTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(
    entriesOf(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

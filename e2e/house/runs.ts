import type { Api } from './api.ts'
import { waitFor } from './wait.ts'

/** The part of run detail that tests look at. */
export interface RunDetail {
  readonly run_id: string
  readonly status: string
  readonly reason: string | null
  readonly queue_reason?: string | null
  readonly steps: readonly {
    readonly name: string
    readonly status: string
    readonly tasks: readonly {
      readonly name: string
      readonly status: string
      readonly attempt: number
      readonly reason: string | null
    }[]
  }[]
}

export interface LogEntry {
  readonly stream: string
  readonly line: string
  readonly number: number
  readonly step: string
  readonly task: string
  readonly attempt: number
}

const FINAL = ['success', 'failure', 'warning', 'timed_out', 'canceled']

export function isFinal({ status }: { readonly status: string }): boolean {
  return FINAL.includes(status)
}

export function runEnd(api: Api, runId: string): Promise<RunDetail> {
  return waitFor(`run ${runId} to end`, () => api.get<RunDetail>(`/v1/runs/${runId}`), isFinal, 300_000)
}

/** Every stored line of a run (or of one of its tasks), page by page. */
export async function runLog(api: Api, runId: string, filter = ''): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  let path: string | undefined = `/v1/runs/${runId}/logs?limit=500${filter}`
  while (path) {
    const answer = await api.ask('GET', path)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    entries.push(...(answer.body as LogEntry[]))
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return entries
}

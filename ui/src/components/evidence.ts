import type { Evidence } from '@signalbox/contracts/http'
import { defaultStringifySearch } from '@tanstack/react-router'

/** What a sentence rests on, as a person reads it, and the page that shows it. */
interface EvidenceLink {
  readonly words: string
  /** Undefined: it has no page of its own. */
  readonly address: string | undefined
}

/** The source of each delivery, by the delivery's id: its page lies below that of the source. */
export type SourcesOfDeliveries = ReadonlyMap<string, string>

type Kind = Evidence['kind']

/** What has a page at `#/<path>/<id>`. */
const PAGES: Readonly<Partial<Record<Kind, string>>> = {
  run: 'runs',
  event: 'events',
  source: 'sources',
  trigger: 'triggers',
  override: 'overrides',
  pipeline: 'pipelines',
  schedule: 'schedules',
  runner: 'runners',
  knowledge_item: 'knowledge',
}

const WORDS: Readonly<Partial<Record<Kind, string>>> = {
  log_line: 'line',
  knowledge_item: 'knowledge item',
  subject: 'account',
}

/** The kinds whose id is a name that a person knows. */
const NAMED: ReadonlySet<Kind> = new Set(['step', 'task', 'approval', 'override', 'team'])

export function linkOfEvidence(evidence: Evidence, sources: SourcesOfDeliveries = new Map()): EvidenceLink {
  return { words: wordsOf(evidence), address: addressOf(evidence, sources) }
}

function wordsOf({ kind, id, line }: Evidence): string {
  const word = WORDS[kind] ?? kind
  if (kind === 'log_line') return line === undefined ? 'the log' : `${word} ${line}`
  return NAMED.has(kind) ? `${word} ${id}` : `the ${word}`
}

function addressOf(evidence: Evidence, sources: SourcesOfDeliveries): string | undefined {
  const { kind, id, run_id: runId } = evidence
  switch (kind) {
    case 'step':
    case 'task':
      return ofRun(runId, { task: id })
    case 'log_line':
      return ofRun(runId, {
        task: placeOf(id),
        line: evidence.line === undefined ? undefined : `${id}:${evidence.line}`,
      })
    case 'attempt':
      return ofRun(runId, { tab: 'attempts' })
    case 'approval':
      return ofRun(runId, { tab: 'approvals' })
    case 'delivery': {
      const source = sources.get(id)
      return source === undefined ? undefined : `#/sources/${segmentOf(source)}/deliveries/${segmentOf(id)}`
    }
    case 'override':
      return id.includes('/') ? `#/overrides/${id.split('/').map(segmentOf).join('/')}` : undefined
    case 'emergency':
      return '#/emergencies'
    case 'team':
      return `#/t/${segmentOf(id)}/home`
    case 'token':
      return '#/account/tokens'
    default:
      return PAGES[kind] === undefined ? undefined : `#/${PAGES[kind]}/${segmentOf(id)}`
  }
}

function ofRun(runId: string | undefined, search: Readonly<Record<string, string | undefined>>): string | undefined {
  return runId === undefined ? undefined : `#/runs/${segmentOf(runId)}${defaultStringifySearch({ ...search })}`
}

/** Of a section of a log, `step/task/attempt`, the task. */
function placeOf(section: string): string {
  return section.replace(/\/\d+$/, '')
}

const segmentOf = encodeURIComponent

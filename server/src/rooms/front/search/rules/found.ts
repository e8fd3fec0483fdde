import { FIND_KINDS, type FindKind, type FoundThing, type SearchKind } from '@signalbox/contracts/search'
import type { FoundByClue } from '#platform/room'

/** Of one kind: twenty runs of a branch must not hide the one schedule of that name. */
const MOST_OF_A_KIND = 8

/** A thing that was found; 0 is what was named, and a greater rank is farther from it. */
export interface Candidate extends FoundByClue {
  readonly rank: number
}

/** Each thing once, the best first; equally good ones in the order of kinds, then as their room found them. */
export function chooseFound(candidates: readonly Candidate[], limit: number): readonly Candidate[] {
  const best = candidates.toSorted(
    (left, right) => left.rank - right.rank || FIND_KINDS.indexOf(left.kind) - FIND_KINDS.indexOf(right.kind),
  )
  const known = new Set<string>()
  const counts = new Map<FindKind, number>()
  const chosen = best.filter(({ kind, id }) => {
    const count = counts.get(kind) ?? 0
    if (count >= MOST_OF_A_KIND || known.has(`${kind} ${id}`)) return false
    counts.set(kind, count + 1)
    known.add(`${kind} ${id}`)
    return true
  })
  return chosen.slice(0, limit)
}

/** Why a search found it: by its rank there. */
function whyByText(kind: SearchKind, rank: number, isId: boolean): string {
  if (kind === 'run') return RUN_WHY[rank] ?? RUN_WHY[0]
  if (isId) return 'It has this id.'
  return NAME_WHY[rank] ?? NAME_WHY[3]
}

const RUN_WHY = ['It has this id.', 'Its id begins so.', 'It is of a commit that begins so.'] as const
const NAME_WHY = [
  'It has this name.',
  'Its name begins so.',
  'Its path begins so.',
  'Its name or its path has each of the words.',
] as const

interface Place {
  readonly page: string
  /** The tool that tells agents more. */
  readonly tool: string | null
}

const PLACES: Readonly<Record<FindKind, Place>> = {
  run: { page: '#/runs/$id', tool: 'explain_run' },
  pipeline: { page: '#/pipelines/$id', tool: 'get_pipeline' },
  team: { page: '#/t/$name/home', tool: 'list_pipelines' },
  event: { page: '#/events/$id', tool: 'explain_push' },
  delivery: { page: '#/sources/$parent/deliveries/$id', tool: 'get_delivery' },
  override: { page: '#/overrides/$id', tool: 'list_triggers' },
  schedule: { page: '#/schedules/$id', tool: 'explain_schedule' },
  source: { page: '#/sources/$id', tool: 'list_sources' },
  trigger: { page: '#/triggers/$id', tool: 'list_triggers' },
  external_trigger: { page: '#/external-triggers/$id', tool: null },
  runner: { page: '#/runners/$id', tool: 'list_runners' },
  profile: { page: '#/profiles/$id', tool: null },
  knowledge: { page: '#/knowledge/$id', tool: 'list_knowledge' },
  emergency: { page: '#/t/$team/emergencies', tool: 'list_knowledge' },
  user: { page: '#/users/$id', tool: null },
  group: { page: '#/groups/$id', tool: null },
  service_account: { page: '#/service-accounts/$id', tool: null },
}

/** Its page, and the tool that tells more. */
export function placeOf({ kind, id, name, teamPath, parentId }: Candidate): Pick<FoundThing, 'page' | 'tool'> {
  const { page, tool } = PLACES[kind]
  const team = teamPath === null || teamPath === '/' ? '~' : teamPath
  const filled = page
    .replace('$id', () => addressOf(id))
    .replace('$name', () => encodeURIComponent(name ?? ''))
    .replace('$team', () => encodeURIComponent(team))
    .replace('$parent', () => parentId ?? '')
  return { page: filled, tool }
}

/** An override has the name of its repository for an id: its last slash is one of the address. */
function addressOf(id: string): string {
  const slash = id.lastIndexOf('/')
  if (slash === -1) return id
  return `${encodeURIComponent(id.slice(0, slash))}/${encodeURIComponent(id.slice(slash + 1))}`
}

interface Hit {
  readonly id: string
  readonly title: string
  readonly teamPath: string | null
  readonly detail: string | null
  readonly rank: number
}

/** A hit of a search as a candidate. What others may have written is apart from the names of things of Signalbox. */
export function fromSearch(kind: Exclude<SearchKind, 'secret'>, hit: Hit, isId: boolean): Candidate {
  const { id, title, teamPath, detail, rank } = hit
  const why = whyByText(kind, rank, isId)
  // A login may come from a provider of identities.
  if (kind === 'user') return { kind, id, name: null, teamPath, why, told: title, rank }
  return { kind, id, name: title, teamPath, why, told: kind === 'run' ? detail : null, rank }
}

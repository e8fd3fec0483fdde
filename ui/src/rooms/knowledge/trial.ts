import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { MOST_TRIED_RUNS } from '@signalbox/contracts/trials/limits'
import type { trialRoutes } from '@signalbox/contracts/trials/routes'
import { cutTowers } from '../../components/index.ts'
import type { TriedRun } from './item.ts'
import type { TrialAddress } from './place-address.ts'

/** By what the runs of a trial are chosen, as the route calls it. */
export const NARROWINGS = [
  { value: 'team_path', label: 'a team' },
  { value: 'pipeline', label: 'a pipeline' },
  { value: 'scope', label: 'a scope' },
] as const

export type Narrowing = (typeof NARROWINGS)[number]['value']

/** The past runs that a form asks for. */
export interface WantedRuns {
  readonly by: Narrowing
  readonly of: string
  /** Text, where somebody is typing. */
  readonly newest: number | string
}

const NEWEST = 50

/** What a form begins with. */
export function runsOfTeam(team: string): WantedRuns {
  return { by: 'team_path', of: team, newest: NEWEST }
}

/** What an address cannot mean is that of the item's team. */
export function readWantedRuns({ by, of, newest = NEWEST }: TrialAddress, team: string): WantedRuns {
  const known = NARROWINGS.find(({ value }) => value === by)?.value ?? 'team_path'
  return {
    by: known,
    of: cutTowers(of ?? (known === 'team_path' ? team : '')),
    newest: boundNewest(newest),
  }
}

/** How many runs the route is asked for: a field may hold any number, or none, until it loses the focus. */
export function boundNewest(newest: WantedRuns['newest']): number {
  return Math.min(Math.max(Math.trunc(Number(newest)) || 1, 1), MOST_TRIED_RUNS)
}

/** Without what a form begins with. */
export function addressOfRuns({ by, of, newest }: WantedRuns, team: string): TrialAddress {
  const count = Number(newest)
  return {
    ...(by === 'team_path' ? {} : { by }),
    ...(by === 'team_path' && of === team ? {} : { of }),
    ...(count === NEWEST ? {} : { newest: count }),
  }
}

/** The status word whose look a verdict has. */
export function lookOfVerdict(verdict: TriedRun['verdict']): string {
  switch (verdict) {
    case 'allowed':
      return 'condition_held'
    case 'blocked':
      return 'not_held'
    case 'not_asked':
      return 'not_looked_at'
    default:
      return verdict
  }
}

/** How the run would have gone otherwise; empty: it would not. */
export function changeOf({ differs, verdict }: Pick<TriedRun, 'differs' | 'verdict'>): string {
  if (!differs) return ''
  return verdict === 'blocked' ? 'would have been stopped' : 'would have gone on'
}

/** What would not have begun. */
export function placeOfRun({ place }: Pick<TriedRun, 'place'>): string {
  if (place === null) return ''
  return place.step === null ? 'the run' : [place.step, place.task].filter((part) => part !== null).join('/')
}

type Trial = Pick<SuccessOf<typeof trialRoutes.tryKnowledgeItem>, 'tried' | 'differing' | 'verdicts'>

/** The outcome of a trial in one sentence. */
export function sentenceOf({ tried, differing, verdicts }: Trial): string {
  if (tried === 0) return 'There is no such run that you may read.'
  const runs = tried === 1 ? '1 run' : `${tried} runs`
  const { allowed, blocked, not_asked, unknown } = verdicts
  const rest = unknown === 0 ? '' : `, and of ${unknown} it is not known`
  const asked = `The rule holds for ${allowed}, does not for ${blocked}, and was not asked about ${not_asked}${rest}.`
  return `${differing} of ${runs} would have gone otherwise. ${asked}`
}

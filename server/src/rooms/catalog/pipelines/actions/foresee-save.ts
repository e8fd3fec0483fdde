import type { Caller, RequestOrigin } from '#platform/http'
import { type Foreseen, type PlannedCall, textIn } from '#platform/planning'
import type { Means } from '../means.ts'
import { findPipeline } from './find-pipeline.ts'
import { findPlaces, type Place } from './find-places.ts'

const HIDDEN = 'The pipeline is used where another person has to approve.'
const UNKNOWN = 'Not all is known of where the pipeline is used: another person has to approve.'

/**
 * Where the saved pipeline will run by what is stored: rules and parents of all teams name it. What is disabled counts as
 * well, because whoever enables it need not read the document. Protected places that the caller may not see ask for a
 * person, and are not told.
 */
export async function foreseeSave(means: Means, { caller }: RequestOrigin, call: PlannedCall): Promise<Foreseen> {
  const identifier = await findIdentifier(means, call)
  // The write itself was judged before: nothing is saved by another name.
  if (identifier === undefined) return { starts: [], needsPerson: UNKNOWN }
  return foreseeStarts(means, caller, identifier)
}

/** Of the pipeline that is replaced, or as the document of a new one names it. */
async function findIdentifier(means: Means, { params, body }: PlannedCall): Promise<string | undefined> {
  const { id } = params
  if (id !== undefined) return (await findPipeline(means.database.kysely, id))?.identifier
  const parsed = await means.parse(textIn(body, 'document') ?? '')
  const teamPath = textIn(body, 'team_path')
  return parsed.ok && teamPath !== undefined ? `${teamPath}/${parsed.pipeline.name}` : undefined
}

async function foreseeStarts(means: Means, caller: Caller, identifier: string): Promise<Foreseen> {
  const places = await findPlaces(means, caller, identifier)
  if (places === undefined) return { starts: [], needsPerson: UNKNOWN }
  const all = await means.teams.listScopes(means.database.kysely)
  const scopesOf = (some: readonly Place[]): Set<string> => {
    const teams = new Set(some.flatMap((place) => ('team' in place ? [place.team] : [])))
    const ofTeams = all.filter(({ teamPath }) => teams.has(teamPath)).map(toScope)
    return new Set([...some.flatMap((place) => ('scope' in place ? [place.scope] : [])), ...ofTeams])
  }
  const seen = scopesOf(places.filter(({ isSeen }) => isSeen))
  const hidden = scopesOf(places.filter(({ isSeen }) => !isSeen)).difference(seen)
  const isProtected = all.some((each) => each.protected && hidden.has(toScope(each)))
  return {
    starts: [...seen].map((scope) => ({ pipeline: identifier, scope })),
    needsPerson: isProtected ? HIDDEN : undefined,
  }
}

function toScope({ teamPath, environment }: { readonly teamPath: string; readonly environment: string }): string {
  return `${teamPath}/${environment}`
}

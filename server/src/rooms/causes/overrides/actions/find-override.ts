import type { OverrideQuery, Override as WireOverride } from '@signalbox/contracts/overrides'
import { type Caller, type Page, pageOf, toWire } from '#platform/http'
import type { Means } from '../means.ts'
import {
  chooseFor,
  fullNameOf,
  isExpired,
  type Override,
  type RepositoryName,
  type Rights,
  type Standed,
  standingOf,
  type VouchingSource,
} from '../rules/index.ts'
import * as store from '../store.ts'

export function canSee(caller: Caller, override: Override): boolean {
  return caller.can('override.read', override.teamPath)
}

export function rightsOf(caller: Caller): Rights {
  return {
    canSee: (override) => canSee(caller, override),
    canWrite: (override) => caller.can('override.write', override.teamPath),
  }
}

/** Overrides of one repository, each with its standing among them. */
export function standingsOf(
  overrides: readonly Override[],
  sources: readonly VouchingSource[],
  at: Date,
): readonly Standed[] {
  return overrides.map((override) => ({ override, standing: standingOf(override, overrides, sources, at) }))
}

/** Undefined where there is none, or none that the caller may see: the two look alike. */
export async function findVisibleOverride(
  means: Means,
  caller: Caller,
  name: RepositoryName,
): Promise<Standed | undefined> {
  const sources = (await means.above.listSources())(fullNameOf(name))
  const overrides = await store.listOfRepository(means.database.kysely, name)
  // Asked also when there is none, so that the answer is the same.
  caller.can('override.read', '/')
  return chooseFor(rightsOf(caller), standingsOf(overrides, sources, means.clock.now()))
}

/** Newest first; expired ones too. */
export async function listOverrides(means: Means, caller: Caller, query: OverrideQuery): Promise<Page<Standed>> {
  const filter = { prefixes: caller.prefixes('override.read'), teamPath: query.team_path }
  const page = await pageOf(query, (window) => store.listOverrides(means.database.kysely, { ...filter, ...window }))
  const [finder, sourcesOf, now] = [await means.copy.get(), await means.above.listSources(), means.clock.now()]
  const items = page.items.map((override) => {
    const name = fullNameOf(override)
    return { override, standing: standingOf(override, finder.list(name), sourcesOf(name), now) }
  })
  return { ...page, items }
}

export function presentOverride({ override, standing }: Standed, at: Date): WireOverride {
  const { inEffect, reason } = standing
  return { ...presentStored(override, at), in_effect: inEffect, not_in_effect_because: reason }
}

/** The form in which audit records show an override. */
export function presentStored(override: Override, at: Date): Omit<WireOverride, 'in_effect' | 'not_in_effect_because'> {
  const { id: _id, teamPath: _teamPath, ...shown } = override
  return { ...toWire(shown), expired: isExpired(override, at) }
}

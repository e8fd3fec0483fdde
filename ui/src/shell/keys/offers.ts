import type { Permission } from '@signalbox/contracts/access'
import type { SearchHit } from '@signalbox/contracts/search'
import { pagesOf } from './addresses.ts'

/** What the palette does when something is chosen: it opens an address, or does it here. */
export type Deed = { readonly address: string } | { readonly perform: () => void }

/** A page or an action that the palette offers by name. */
export interface Named {
  readonly label: string
  readonly deed: Deed
  /** Why one may not; it is offered all the same, and cannot be chosen. */
  readonly lack?: string | undefined
}

/** A row of the palette. */
export interface Offer extends Named {
  readonly key: string
  readonly kind: string
  readonly detail: string | null
}

interface Sources {
  readonly typed: string
  readonly pages: readonly Named[]
  readonly actions: readonly Named[]
  /** What the server found. */
  readonly hits: readonly SearchHit[]
  /** Whether this build has a page of that pattern. */
  readonly hasRoute: (route: string) => boolean
  /** What is missing for something at a team; undefined: nothing. */
  readonly lackOf: (permission: Permission, at: string) => string | undefined
}

/** Pages and actions whose name fits, then what the server found; a pipeline can be run at once. */
export function offersOf({ typed, pages, actions, hits, hasRoute, lackOf }: Sources): readonly Offer[] {
  const words = typed.trim().toLowerCase().split(/\s+/)
  const fits = ({ label }: Named): boolean => words.every((word) => label.toLowerCase().includes(word))
  const named = (kind: string, all: readonly Named[]): readonly Offer[] =>
    all.filter(fits).map((each) => ({ ...each, key: `${kind} ${each.label}`, kind, detail: each.lack ?? null }))
  const found = hits.flatMap((hit): Offer[] => {
    // A room of a later version brings its pages; until then the list, or nothing.
    const address = pagesOf(hit).find(({ route }) => hasRoute(route))?.address
    if (address === undefined) return []
    const { kind, id, title: label, detail } = hit
    return [{ key: `${kind} ${id}`, kind, label, detail, deed: { address } }]
  })
  const runs = hits.flatMap((hit): Offer[] => {
    if (hit.kind !== 'pipeline') return []
    const lack = lackOf('run.start', hit.where ?? '/')
    const deed = { address: `/pipelines/${hit.id}?run=true` }
    return [{ key: `run ${hit.id}`, kind: 'action', label: `Run ${hit.title}`, detail: lack ?? null, lack, deed }]
  })
  return [...named('page', pages), ...named('action', actions), ...found, ...runs]
}

import type { SearchHit } from '@signalbox/contracts/search'

/** A page that may show a thing: the pattern of its route, and its address. */
export interface PageOfHit {
  readonly route: string
  readonly address: string
}

/** The pages of a thing that search found, the best first: its own, the list in which it stands, the home of its team. */
export function pagesOf({ kind, id, title, where }: SearchHit): readonly PageOfHit[] {
  const team = encodeURIComponent(where === null || where === '/' ? '~' : where)
  const place = PLACES[kind]
  const home = { route: '/t/$team/home', address: `/t/${team}/home` }
  const own = place.own.replace('$team', encodeURIComponent(title)).replace('$id', id)
  return [
    { route: place.own, address: own },
    ...(place.list === undefined ? [] : [{ route: place.list, address: place.list.replace('$team', team) }]),
    ...(kind === 'team' ? [] : [home]),
  ]
}

const PLACES: Readonly<Record<SearchHit['kind'], { readonly own: string; readonly list?: string }>> = {
  team: { own: '/t/$team/home' },
  run: { own: '/runs/$id' },
  pipeline: { own: '/pipelines/$id', list: '/t/$team/pipelines' },
  schedule: { own: '/schedules/$id', list: '/t/$team/schedules' },
  source: { own: '/sources/$id', list: '/t/$team/sources' },
  trigger: { own: '/triggers/$id', list: '/t/$team/triggers' },
  external_trigger: { own: '/external-triggers/$id', list: '/t/$team/external-triggers' },
  runner: { own: '/runners/$id', list: '/system/dispatcher' },
  secret: { own: '/secrets/$id', list: '/t/$team/secrets' },
  profile: { own: '/profiles/$id', list: '/t/$team/profiles' },
  knowledge: { own: '/knowledge/$id', list: '/t/$team/knowledge' },
  user: { own: '/users/$id', list: '/system/users' },
  group: { own: '/groups/$id', list: '/groups' },
  service_account: { own: '/service-accounts/$id', list: '/t/$team/service-accounts' },
}

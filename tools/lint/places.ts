import { posix } from 'node:path'

/** The parts of the house, told apart by path alone. `outside` is the development side: tools, bench, e2e. */
export type Area =
  | 'contracts'
  | 'pipeline'
  | 'platform'
  | 'adapters'
  | 'rooms'
  | 'house'
  | 'main'
  | 'runner'
  | 'cli'
  | 'git-bot'
  | 'ui'
  | 'outside'

/** Where a file stands. `part` is the platform folder, the adapter, or the room (`wing/room`) it belongs to. */
export interface Place {
  readonly path: string
  readonly area: Area
  readonly part: string
  /** The path below the part: `store.ts`, `actions/receive-delivery.ts`. */
  readonly inside: string
  /** A test, or a builder that only tests use. */
  readonly forTests: boolean
}

const WORKSPACES: readonly Area[] = ['contracts', 'pipeline', 'runner', 'cli', 'git-bot', 'ui']

/** Whether only tests may reach this path: `x.test.ts`, `testing.ts`, anything in a folder called `testing`. */
export function isForTests(path: string): boolean {
  return /\.test\.tsx?$|(^|\/)testing(\.ts$|\/)/.test(path)
}

/** Places a path that is relative to the root of the repository, with forward slashes. */
export function placeOf(path: string): Place {
  const forTests = isForTests(path)
  const [top = '', ...rest] = path.split('/')
  const workspace = WORKSPACES.find((area) => area === top)
  if (workspace) return { path, area: workspace, part: '', inside: rest.slice(1).join('/'), forTests }
  if (top === 'server' && rest[0] === 'src') return { path, ...placeInServer(rest.slice(1)), forTests }
  return { path, area: 'outside', part: top, inside: rest.join('/'), forTests }
}

function placeInServer(segments: readonly string[]): Omit<Place, 'path' | 'forTests'> {
  const [first = '', second = '', third = ''] = segments
  if (first === 'platform' || first === 'adapters') {
    return { area: first, part: second, inside: segments.slice(2).join('/') }
  }
  if (first === 'rooms') return { area: 'rooms', part: `${second}/${third}`, inside: segments.slice(3).join('/') }
  return { area: first.startsWith('main.') ? 'main' : 'house', part: '', inside: segments.join('/') }
}

/** The target of an import: a file of ours and the kind of door it was reached by, or a package from elsewhere. */
export type Target =
  | { readonly kind: 'file'; readonly place: Place; readonly by: 'relative' | 'door' }
  | { readonly kind: 'package'; readonly name: string }

/** Resolves an import without the disk: relative paths, `#doors` of the server, and `@signalbox/<workspace>/<x>`. */
export function targetOf(file: string, specifier: string): Target {
  if (specifier.startsWith('.')) {
    const path = posix.normalize(posix.join(posix.dirname(file), specifier))
    return { kind: 'file', place: placeOf(path), by: 'relative' }
  }
  if (specifier === '#platform/room') return door('server/src/platform/room.ts')
  if (/^#(platform|adapters|rooms)\//.test(specifier)) return door(`server/src/${specifier.slice(1)}/index.ts`)
  const workspace = /^@signalbox\/([^/]+)(?:\/(.+))?$/.exec(specifier)
  if (workspace) return door([workspace[1], 'src', workspace[2], 'index.ts'].filter(Boolean).join('/'))
  return { kind: 'package', name: specifier }
}

function door(path: string): Target {
  return { kind: 'file', place: placeOf(path), by: 'door' }
}

/** The workspace folder a place belongs to, `server` for everything in the control plane. */
export function workspaceOf(place: Place): string {
  return place.path.split('/')[0] ?? ''
}

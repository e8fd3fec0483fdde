import { findForbiddenInPage } from './page-arrows.ts'
import { type Place, placeOf, targetOf, workspaceOf } from './places.ts'
import { ENGINES, ROOM_ORDER, ROOMS } from './rooms.ts'

/** The workspaces that a workspace may import, by their doors. `server` is reached on the wire only. */
const WORKSPACE_ARROWS: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  pipeline: ['contracts'],
  server: ['contracts', 'pipeline'],
  runner: ['contracts', 'pipeline'],
  'git-bot': ['contracts', 'pipeline'],
  ui: ['contracts', 'pipeline'],
  // `signalbox runner` is the runner itself, started from the command line.
  cli: ['contracts', 'pipeline', 'runner'],
}

const PROGRAM = /^[^/]+\/bin\//

/**
 * The arrows between files. Answers the sentence that tells the author what to do instead, or undefined when the import
 * is fine. `file` is relative to the root of the repository; `typeOnly` is true for `import type`.
 */
export function findForbiddenImport(file: string, specifier: string, typeOnly: boolean): string | undefined {
  const from = placeOf(file)
  if (from.area === 'outside') return undefined
  const target = targetOf(file, specifier)
  if (from.area === 'ui') {
    const wrong = findForbiddenInPage(from, specifier, typeOnly)
    if (wrong) return wrong
  }
  if (target.kind === 'package') return findForbiddenPackage(from, target.name)
  const to = target.place
  if (workspaceOf(from) !== workspaceOf(to)) return findAcrossWorkspaces(from, to, target.by)
  if (to.forTests && !from.forTests) {
    return `"${specifier}" is for tests; move what the product needs out of testing, into the file that owns it`
  }
  if (isRules(from)) {
    const impure = findImpureFile(to)
    if (impure) return impure
  }
  return findInServer(from, to, target.by, typeOnly)
}

function findForbiddenPackage(from: Place, name: string): string | undefined {
  if (from.forTests) return undefined
  if ((from.area === 'contracts' || from.area === 'pipeline') && name.startsWith('node:')) {
    return `${from.area} is pure and runs in a browser; do "${name}" in the server or the runner and hand the data in`
  }
  if (from.area === 'contracts' && !/^(typebox|@bufbuild\/protobuf)(\/|$)/.test(name)) {
    return `contracts imports nothing but the schema library; put what needs "${name}" into the workspace that uses it`
  }
  if (isRules(from) && /^(node:|pg$|kysely|fastify|@fastify\/|@grpc\/|graphile-worker)/.test(name)) {
    return `rules are pure, data in and decision out; let an action use "${name}" and pass the result to the rule`
  }
  if (from.area === 'adapters' && /^(pg|kysely)(\/|$)/.test(name)) {
    return 'an adapter translates and stores nothing; return the data and let a room keep it in its store.ts'
  }
  return undefined
}

function findAcrossWorkspaces(from: Place, to: Place, by: 'relative' | 'door'): string | undefined {
  if (from.forTests) return undefined
  const [here, there] = [workspaceOf(from), workspaceOf(to)]
  // A program finds by it what is built of its sources, before any of them is loaded.
  if (to.path === 'build/built.mjs' && PROGRAM.test(from.path)) return undefined
  if (to.area === 'outside' && there !== 'server') {
    return `${there}/ is for development; the product does not import it, so move the code into ${here}/`
  }
  const allowed = WORKSPACE_ARROWS[here] ?? []
  if (!allowed.includes(there)) {
    const ways = allowed.length === 0 ? 'nothing of ours' : allowed.join(', ')
    return `${here} imports ${ways}; meet ${there} on the wire, with the shape in contracts`
  }
  if (by === 'relative') return `enter ${there} by its package, @signalbox/${there}, not by a path`
  return undefined
}

export function isRules(place: Place): boolean {
  return place.area === 'rooms' && /^rules(\.ts$|\/)/.test(place.inside) && !place.forTests
}

function findImpureFile(to: Place): string | undefined {
  if (to.area === 'rooms' && /^store(\.ts$|\/)/.test(to.inside)) {
    return 'rules are pure; declare the type in rules.ts, let store.ts import it, and have an action load the data'
  }
  if (to.area === 'platform' && /^(database|http|grpc|jobs|facts|sse)$/.test(to.part)) {
    return `rules are pure; let an action speak to the ${to.part} and pass the data in`
  }
  return undefined
}

function findInServer(from: Place, to: Place, by: 'relative' | 'door', typeOnly: boolean): string | undefined {
  switch (from.area) {
    case 'platform':
      return findFromPlatform(from, to)
    case 'adapters':
      return findFromAdapter(from, to, by)
    case 'rooms':
      return findFromRoom(from, to, by, typeOnly)
    case 'main':
      return to.area === 'rooms' && !from.forTests ? 'main opens the house; let house.ts open the room' : undefined
    case 'house':
      return from.forTests ? undefined : (findPastDoor(to) ?? findByPath(to, by))
    default:
      return undefined
  }
}

function findFromPlatform(from: Place, to: Place): string | undefined {
  if (to.area === 'rooms' || to.area === 'adapters') {
    return `the platform knows no product word; take what it needs from ${to.area} as a parameter that house.ts fills`
  }
  if (from.forTests) return undefined
  if (to.area === 'house' || to.area === 'main') return 'the platform knows no product word; house.ts calls it'
  return from.part === to.part ? undefined : findPastDoor(to)
}

function findFromAdapter(from: Place, to: Place, by: 'relative' | 'door'): string | undefined {
  if (to.area === 'rooms') return 'an adapter decides nothing; export a port, and let house.ts hand it to the room'
  if (to.area === 'platform' && to.part === 'database' && !from.forTests) {
    return 'an adapter translates and stores nothing; return the data and let a room keep it in its store.ts'
  }
  if (from.forTests) return undefined
  if (to.area === 'house' || to.area === 'main') return 'an adapter does not know the house; take it as a parameter'
  if (to.area === 'adapters' && to.part === from.part) return undefined
  return findPastDoor(to) ?? findByPath(to, by)
}

function findFromRoom(from: Place, to: Place, by: 'relative' | 'door', typeOnly: boolean): string | undefined {
  if (to.area === 'rooms' && to.part === from.part) return findInsideRoom(from, to, typeOnly)
  // Tests may open whole houses and use other rooms' builders, but the inside of another room stays closed.
  if (from.forTests) return to.forTests ? undefined : findPastDoor(to)
  if (to.area === 'house' || to.area === 'main')
    return 'a room does not know the house; house.ts hands it what it needs'
  const wrongWay = findPastDoor(to) ?? findByPath(to, by)
  if (wrongWay) return wrongWay
  if (to.area === 'adapters' && !typeOnly) {
    return `a room sees only the port's types: "import type" it, and let house.ts hand in the instance`
  }
  return to.area === 'rooms' ? findBetweenRooms(from.part, to.part, typeOnly) : undefined
}

function findInsideRoom(from: Place, to: Place, typeOnly: boolean): string | undefined {
  const edge = /^(routes|tools)$/.exec(nameInRoom(from))?.[1]
  if (edge && !typeOnly && !from.forTests && nameInRoom(to) === 'store') {
    return `${edge}.ts calls actions, never the store; put the use case into actions/ and call that`
  }
  return undefined
}

/** The order inside a room: the sentence for an import of a later part of ROOM_ORDER, types included. */
export function findOutOfOrder(file: string, specifier: string): string | undefined {
  const from = placeOf(file)
  const target = targetOf(file, specifier)
  if (from.area !== 'rooms' || from.forTests || target.kind === 'package') return undefined
  const to = target.place
  if (to.area !== 'rooms' || to.part !== from.part || to.forTests) return undefined
  const [here, there] = [nameInRoom(from), nameInRoom(to)]
  // Means name types that actions declare; no circle of files comes of it, for another rule refuses those.
  const rank = rankInRoom(from.part, here === 'means' ? 'actions' : here)
  const other = rankInRoom(to.part, there)
  if (rank === undefined || other === undefined || rank >= other) return undefined
  return `in a room "${here}" comes before "${there}" and does not import it. Move the shared part into the earlier one, or let index.ts hand it in`
}

/** The file or folder at the top of a room: `store` of `store/claims.ts`. */
function nameInRoom(place: Place): string {
  return (place.inside.split('/')[0] ?? '').replace(/\.ts$/, '')
}

/** Where a name stands in the order of its room; undefined for a name that no room has. */
function rankInRoom(room: string, name: string): number | undefined {
  const engine = ENGINES[room]?.[name]
  const rank = ROOM_ORDER.findIndex((names) => names.includes(engine ? 'actions' : name))
  if (engine) return engine === 'below actions' ? rank - 0.5 : rank + 0.5
  return rank === -1 ? undefined : rank
}

function findBetweenRooms(here: string, there: string, typeOnly: boolean): string | undefined {
  if (!ROOMS.includes(there)) return `"${there}" is not in the order of rooms; add it to tools/lint/rooms.ts`
  if (ROOMS.indexOf(there) >= ROOMS.indexOf(here)) {
    return `"${here}" may not ask "${there}", which stands above it; tell it by a fact, or let house.ts contribute it`
  }
  if (!typeOnly) return `another room's door is types only: "import type" it, and take the instance from needs`
  return undefined
}

/** A part of the server is entered by its index.ts; room.ts is the platform's own second door. */
function findPastDoor(to: Place): string | undefined {
  if (to.area !== 'platform' && to.area !== 'adapters' && to.area !== 'rooms') return undefined
  if (to.path === 'server/src/platform/room.ts' || to.inside === 'index.ts') return undefined
  if (to.area === 'adapters' && to.inside.endsWith('/index.ts')) return undefined
  return `enter ${to.area}/${to.part} by its door, #${to.area}/${to.part}; if the door lacks something, export it there`
}

function findByPath(to: Place, by: 'relative' | 'door'): string | undefined {
  if (by === 'door' || (to.area !== 'platform' && to.area !== 'adapters' && to.area !== 'rooms')) return undefined
  const name = to.path.replace(/^server\/src\//, '').replace(/(\/index)?\.ts$/, '')
  return `write the door, #${name}, instead of a path`
}

import type { Place } from './places.ts'
import { ENGINES, ROOM_FILES, ROOMS } from './rooms.ts'

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/
const VAGUE = /(^|-)(utils?|helpers?|manager|impl)$|^(common|base|types|misc|shared|lib)$/

/** The lines at which a file is long (a warning) and too long (an error). */
export const LONG = 300
export const TOO_LONG = 500

/** The fault in the name or the place of a file, as a sentence; undefined when there is none. */
export function findMisplaced(place: Place): string | undefined {
  if (isGenerated(place.path)) return undefined
  const segments = place.path.split('/')
  const file = (segments.pop() ?? '').replace(/(\.(d|test|property\.test|config))?\.(ts|tsx|mts|mjs|js)$/, '')
  const vague = [...segments, file].find((name) => VAGUE.test(name))
  if (vague) return `"${vague}" says nothing; name the file after what it holds, and keep a type where its value lives`
  const shouting = [...segments.slice(1), file].find((name) => !KEBAB.test(name) && !isScenario(place.path))
  if (shouting) return `"${shouting}" is not kebab-case; write names in small letters with dashes`
  return place.area === 'rooms' ? findMisplacedInRoom(place) : undefined
}

function findMisplacedInRoom(place: Place): string | undefined {
  if (place.inside === '') return `a file of a room lies in server/src/rooms/<wing>/<room>/`
  if (!ROOMS.includes(place.part)) return `"${place.part}" is not in the order of rooms; add it to tools/lint/rooms.ts`
  const [first = '', second = ''] = place.inside.split('/')
  if (second === '' && first.endsWith('.test.ts')) return undefined
  const name = first.replace(/\.ts$/, '')
  const engines = Object.keys(ENGINES[place.part] ?? {})
  if (engines.includes(name)) return second === '' ? `an engine is a folder: ${name}/` : undefined
  if (!ROOM_FILES.includes(name)) {
    return `a room holds ${ROOM_FILES.join(', ')} and nothing else; "${name}" belongs into one of them, or into a folder of that name (a folder with state of its own is listed in ENGINES of tools/lint/rooms.ts)`
  }
  if (first === 'actions.ts') return 'actions is a folder: one use case per file, verb-noun'
  if (first === 'actions' && !second.includes('-')) {
    return `an action is verb-noun, like receive-delivery.ts; "${second}" lacks one of the two`
  }
  return undefined
}

/** Whether the length of a file is its own business: generated, data, or a test. */
export function mayBeLong(place: Place): boolean {
  return isGenerated(place.path) || place.forTests || /(^|\/)(fixtures|data)(\/|\.ts$)|[.-]data\.ts$/.test(place.path)
}

/** A default export is for the tool that asks for one. */
export function mayExportDefault(path: string): boolean {
  return /^tools\/(lint\/house|test\/reporter)\.ts$/.test(path) || /(^|\/)[^/]+\.config\.(ts|mjs|js)$/.test(path)
}

function isGenerated(path: string): boolean {
  return path.includes('/generated/')
}

/** Scenarios are data, and their folders begin with a number: `07_retry`. */
function isScenario(path: string): boolean {
  return path.startsWith('e2e/scenarios/')
}

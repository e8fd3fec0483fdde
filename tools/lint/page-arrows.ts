import { posix } from 'node:path'
import type { Place } from './places.ts'

/** The parts of the page, from the lowest to the highest: a part imports itself and those before it. */
const PARTS: readonly string[] = [
  'theme',
  'client',
  'components',
  'shell',
  'gallery',
  'rooms',
  'routes.ts',
  'app.tsx',
  'main.tsx',
]

/** Modules of contracts that hold no schema: the page may import them by value. */
const VALUES = /^@signalbox\/contracts\/(http\/(etags|links|requests)|[a-z-]+\/(clients|limits|routes|words))$/

/**
 * The arrows inside `ui/`. Answers the sentence that tells the author what to do instead, or undefined when the import
 * is fine.
 */
export function findForbiddenInPage(from: Place, specifier: string, typeOnly: boolean): string | undefined {
  if (from.forTests) return undefined
  if (specifier.startsWith('@signalbox/contracts/') && !typeOnly && !VALUES.test(specifier)) {
    return `"${specifier}" brings the schema library into the page: "import type" it, and take routes from "<room>/routes"`
  }
  if (!specifier.startsWith('.')) return undefined
  const target = posix.normalize(posix.join(posix.dirname(from.path), specifier)).replace(/^ui\/src\//, '')
  const here = from.path.replace(/^ui\/src\//, '')
  const [part = '', room = '', ...inside] = target.split('/')
  const [ownPart = '', ownRoom = ''] = here.split('/')
  if (PARTS.indexOf(part) > PARTS.indexOf(ownPart)) {
    return `${ownPart} lies below ${part}: take what it needs as a parameter, or move the code up`
  }
  if (part !== 'rooms' || ownPart !== 'rooms' || room === ownRoom) return undefined
  return inside.join('/') === 'index.ts'
    ? undefined
    : `enter the room ${room} by its door, ../${room}/index.ts; export there what others may use`
}
